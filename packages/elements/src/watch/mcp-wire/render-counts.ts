import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../base/text/format.js';
import { newestIcon } from './wire-icons.js';
import type { WireLines } from './wire-lines.js';
import { renderButton } from './wire-toolbar.js';

/** What the line of numbers shows besides the lines. */
interface CountsView {
  /** How many lines the recorder has dropped. */
  dropped: number;
  isPaused: boolean;
  /** Goes to the newest line; absent where that is in sight. */
  goToNewest: (() => void) | undefined;
}

/** The number of lines, and of those that are missing. */
export function renderCounts(
  { rows, entries, isFiltered, isSearching, newerCount }: WireLines,
  { dropped, isPaused, goToNewest }: CountsView,
): TemplateResult {
  const [shown, all] = [formatNumber(rows.length), formatNumber(entries.length)];
  const [missing, newer] = [formatNumber(dropped), formatNumber(newerCount)];
  const parts = [
    isFiltered
      ? msg(str`Lines: ${shown} of ${all}`, { id: 'mcp.wire.lines-of' })
      : msg(str`Lines: ${all}`, { id: 'mcp.wire.lines' }),
    dropped > 0 ? msg(str`Oldest lines dropped: ${missing}`, { id: 'mcp.wire.dropped' }) : '',
    isPaused ? msg(str`Paused. Newer lines: ${newer}`, { id: 'mcp.wire.paused' }) : '',
    isSearching ? msg('Searching', { id: 'mcp.wire.searching' }) : '',
  ];
  const newest = msg('Go to the newest line', { id: 'mcp.wire.newest' });
  return html`<div class="counts">
    <span>${parts.filter(Boolean).join(' · ')}</span>
    ${goToNewest && rows.length > 0 ? renderButton(newest, newestIcon, goToNewest) : nothing}
  </div>`;
}
