import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { downloadIcon, iconButton } from '../../base/look/icons.js';
import { renderFilter } from '../../base/look/filter.js';
import { formatNumber } from '../../base/text/format.js';
import { inLine } from './render-row.js';
import type { WireFilter, WireLines } from './wire-lines.js';

// Paths of Lucide, as in look/icons.ts.
const clearIcon =
  'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6';

/** The actions of the toolbar. */
export interface ToolbarActions {
  filter(change: Partial<WireFilter>): void;
  clear(): void;
  save(): void;
}

/** Renders the search, the filters and the buttons. */
export function renderToolbar(
  { filter, methods }: WireLines,
  actions: ToolbarActions,
): TemplateResult {
  return html`<div
    class="bar toolbar"
    part="toolbar"
    role="group"
    aria-label=${msg('Tools', { id: 'mcp.wire.tools' })}
  >
    ${renderSearch(filter, actions)} ${renderMethods(filter, methods, actions)}
    <label class="check">
      <input
        type="checkbox"
        .checked=${filter.onlyFailures}
        @change=${({ target }: Event) => actions.filter({ onlyFailures: (target as HTMLInputElement).checked })}
      />
      ${msg('Only errors', { id: 'mcp.wire.only-errors' })}
    </label>
    <span class="buttons">${renderButtons(actions)}</span>
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

function renderMethods(
  { method }: WireFilter,
  methods: readonly string[],
  { filter }: ToolbarActions,
): TemplateResult {
  const known = method === '' || methods.includes(method) ? methods : [...methods, method];
  const all = msg('All methods', { id: 'mcp.wire.all-methods' });
  return renderFilter(
    msg('Method', { id: 'mcp.wire.method' }),
    [['', all], ...known.map((name) => [name, inLine(name)] as const)],
    method,
    (chosen) => filter({ method: chosen }),
  );
}

function renderButtons({ save, clear }: ToolbarActions): TemplateResult {
  const saveText = msg('Save the messages as JSON Lines', { id: 'mcp.wire.save' });
  return html`${iconButton(saveText, downloadIcon, save)}
  ${iconButton(msg('Clear', { id: 'mcp.wire.clear' }), clearIcon, clear)}`;
}

/**
 * Renders the number of lines.
 *
 * @param dropped The number of lines that the recorder has dropped.
 */
export function renderCounts(
  { shown, entries, isFiltered, isSearching }: WireLines,
  dropped: number,
): TemplateResult {
  const [part, all] = [formatNumber(shown.length), formatNumber(entries.length)];
  const missing = formatNumber(dropped);
  const parts = [
    isFiltered
      ? msg(str`${part} of ${all} messages`, { id: 'mcp.wire.lines-of' })
      : entries.length === 1
        ? msg('1 message', { id: 'mcp.wire.line' })
        : msg(str`${all} messages`, { id: 'mcp.wire.lines' }),
    dropped > 0 ? msg(str`Oldest lines dropped: ${missing}`, { id: 'mcp.wire.dropped' }) : '',
    isSearching ? msg('Searching', { id: 'mcp.wire.searching' }) : '',
  ];
  return html`<div class="counts">${parts.filter(Boolean).join(' · ')}</div>`;
}
