import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { downloadIcon, iconButton, pauseIcon, playIcon } from '../../base/look/icons.js';
import { renderFilter } from '../../base/look/filter.js';
import { formatNumber } from '../../base/text/format.js';
import { inLine } from './render-entry.js';
import type { WireFilter, WireLines } from './wire-lines.js';

// Paths of Lucide, as in look/icons.ts.
const clearIcon =
  'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6';
const newestIcon = 'M12 5v10M19 8l-7 7-7-7M5 20h14';

/** The acts of the toolbar. */
export interface ToolbarActions {
  filter(change: Partial<WireFilter>): void;
  pause(): void;
  clear(): void;
  save(): void;
}

/** Search, filters and buttons. */
export function renderToolbar(
  { filter, methods }: WireLines,
  isPaused: boolean,
  actions: ToolbarActions,
): TemplateResult {
  return html`<div
    class="bar toolbar"
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

function renderSelects(
  { method, direction }: WireFilter,
  methods: readonly string[],
  { filter }: ToolbarActions,
): TemplateResult {
  const known = method === '' || methods.includes(method) ? methods : [...methods, method];
  const all = msg('All methods', { id: 'mcp.wire.all-methods' });
  return html`${renderFilter(
    msg('Method', { id: 'mcp.wire.method' }),
    [['', all], ...known.map((name) => [name, inLine(name)] as const)],
    method,
    (chosen) => filter({ method: chosen }),
  )}
  ${renderFilter(
    msg('Direction', { id: 'mcp.wire.direction' }),
    [
      ['', msg('Sent and received', { id: 'mcp.wire.both' })],
      ['sent', msg('Only sent', { id: 'mcp.wire.only-sent' })],
      ['received', msg('Only received', { id: 'mcp.wire.only-received' })],
    ],
    direction,
    (chosen) => filter({ direction: chosen }),
  )}`;
}

function renderButtons(isPaused: boolean, { pause, save, clear }: ToolbarActions): TemplateResult {
  const pauseText = msg('Pause: keep these lines in view', { id: 'mcp.wire.pause' });
  const resumeText = msg('Continue with the newest messages', { id: 'mcp.wire.resume' });
  return html`${iconButton(isPaused ? resumeText : pauseText, isPaused ? playIcon : pauseIcon, pause)}
  ${iconButton(msg('Save the messages as JSON Lines', { id: 'mcp.wire.save' }), downloadIcon, save)}
  ${iconButton(msg('Clear', { id: 'mcp.wire.clear' }), clearIcon, clear)}`;
}

/**
 * The number of lines, and of those that are missing.
 *
 * @param dropped How many lines the recorder has dropped.
 * @param goToNewest Absent where the newest line is in sight.
 */
export function renderCounts(
  { shown, entries, isFiltered, isSearching, newerCount }: WireLines,
  dropped: number,
  isPaused: boolean,
  goToNewest: (() => void) | undefined,
): TemplateResult {
  const [part, all] = [formatNumber(shown.length), formatNumber(entries.length)];
  const [missing, newer] = [formatNumber(dropped), formatNumber(newerCount)];
  const parts = [
    isFiltered
      ? msg(str`Lines: ${part} of ${all}`, { id: 'mcp.wire.lines-of' })
      : msg(str`Lines: ${all}`, { id: 'mcp.wire.lines' }),
    dropped > 0 ? msg(str`Oldest lines dropped: ${missing}`, { id: 'mcp.wire.dropped' }) : '',
    isPaused ? msg(str`Paused. Newer lines: ${newer}`, { id: 'mcp.wire.paused' }) : '',
    isSearching ? msg('Searching', { id: 'mcp.wire.searching' }) : '',
  ];
  const newest = msg('Go to the newest line', { id: 'mcp.wire.newest' });
  return html`<div class="counts">
    <span>${parts.filter(Boolean).join(' · ')}</span>
    ${goToNewest && shown.length > 0 ? iconButton(newest, newestIcon, goToNewest) : nothing}
  </div>`;
}
