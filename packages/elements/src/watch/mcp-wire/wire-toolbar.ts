import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { downloadIcon, icon, pauseIcon, playIcon } from '../../base/look/icons.js';
import { inLine } from './summary.js';
import type { WireEntry } from './wire-entry.js';
import type { WireFilter } from './wire-rows.js';
import { clearIcon } from './wire-icons.js';

/** More methods than this are not offered: a server chooses the names of its messages. */
const MAX_METHODS = 100;

/** What the toolbar does. */
export interface ToolbarActions {
  filter(change: Partial<WireFilter>): void;
  pause(): void;
  clear(): void;
  save(): void;
}

/** The methods that occur, in the order of the alphabet. */
export function methodsOf(entries: readonly WireEntry[]): string[] {
  const methods = new Set<string>();
  for (const { method } of entries) {
    if (method !== '') methods.add(method);
    if (methods.size === MAX_METHODS) break;
  }
  return [...methods].toSorted();
}

/** Search, filters and buttons. */
export function renderToolbar(
  filter: WireFilter,
  methods: readonly string[],
  isPaused: boolean,
  actions: ToolbarActions,
): TemplateResult {
  return html`<div
    class="toolbar"
    part="toolbar"
    role="group"
    aria-label=${msg('Tools', { id: 'mcp.wire.tools' })}
  >
    ${renderSearch(filter, actions)} ${renderSelects(filter, methods, actions)}
    <label class="check">
      <input
        type="checkbox"
        .checked=${filter.onlyFailures}
        @change=${({ target }: Event) => actions.filter({ onlyFailures: (target as HTMLInputElement).checked })}
      />
      ${msg('Only errors', { id: 'mcp.wire.only-errors' })}
    </label>
    <span class="buttons">${renderButtons(isPaused, actions)}</span>
  </div>`;
}

function renderSearch({ text }: WireFilter, { filter }: ToolbarActions): TemplateResult {
  const label = msg('Search the messages', { id: 'mcp.wire.search' });
  return html`<input
    class="search"
    type="search"
    placeholder=${label}
    aria-label=${label}
    .value=${text}
    @input=${({ target }: Event) => filter({ text: (target as HTMLInputElement).value.trim() })}
  />`;
}

const valueOf = ({ target }: Event): string => (target as HTMLSelectElement).value;

function renderSelects(
  { method, direction }: WireFilter,
  methods: readonly string[],
  { filter }: ToolbarActions,
): TemplateResult {
  const known = method === '' || methods.includes(method) ? methods : [...methods, method];
  return html`<select
      aria-label=${msg('Method', { id: 'mcp.wire.method' })}
      @change=${(event: Event) => filter({ method: valueOf(event) })}
    >
      <option value="" ?selected=${method === ''}>
        ${msg('All methods', { id: 'mcp.wire.all-methods' })}
      </option>
      ${known.map((name) => html`<option value=${name} ?selected=${name === method}>${inLine(name)}</option>`)}
    </select>
    <select
      aria-label=${msg('Direction', { id: 'mcp.wire.direction' })}
      @change=${(event: Event) => filter({ direction: valueOf(event) as WireFilter['direction'] })}
    >
      <option value="" ?selected=${direction === ''}>
        ${msg('Sent and received', { id: 'mcp.wire.both' })}
      </option>
      <option value="sent" ?selected=${direction === 'sent'}>
        ${msg('Only sent', { id: 'mcp.wire.only-sent' })}
      </option>
      <option value="received" ?selected=${direction === 'received'}>
        ${msg('Only received', { id: 'mcp.wire.only-received' })}
      </option>
    </select>`;
}

function renderButtons(isPaused: boolean, { pause, save, clear }: ToolbarActions): TemplateResult {
  const pauseText = msg('Pause: keep these lines in view', { id: 'mcp.wire.pause' });
  const resumeText = msg('Continue with the newest messages', { id: 'mcp.wire.resume' });
  return html`${renderButton(isPaused ? resumeText : pauseText, isPaused ? playIcon : pauseIcon, pause)}
  ${renderButton(msg('Save the messages as JSON Lines', { id: 'mcp.wire.save' }), downloadIcon, save)}
  ${renderButton(msg('Clear', { id: 'mcp.wire.clear' }), clearIcon, clear)}`;
}

/** A button that is only an icon. */
export function renderButton(text: string, path: string, onclick: () => void): TemplateResult {
  return html`<button class="quiet" aria-label=${text} title=${text} @click=${onclick}>
    ${icon(path)}
  </button>`;
}
