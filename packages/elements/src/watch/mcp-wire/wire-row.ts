import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { chevronIcon, icon } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatNumber, formatSize } from '../../base/text/format.js';
import { nameOfEntry, outcomeOf, subjectOf } from './summary.js';
import { directionOf } from './wire-details.js';
import { isFailure, type WireEntry } from './wire-entry.js';
import { iconOf } from './wire-icons.js';
import type { WireRow } from './wire-rows.js';

/** Where a row stands. */
export interface RowPlace {
  index: number;
  /** How many rows exist. */
  count: number;
  isActive: boolean;
}

/** The names of so many lines of a fold are shown. */
const NAMES_OF_FOLD = 20;

/** The id of a row in the tree. */
export const idOf = (key: string | undefined): string => `row-${key}`;

/**
 * A line, or several lines of housekeeping, as an item of a tree.
 *
 * @param sizeOf The approximate size of the messages of a line, in bytes.
 */
export function renderRow(
  row: WireRow,
  { index, count, isActive }: RowPlace,
  sizeOf: (entry: WireEntry) => number,
): TemplateResult {
  const isFold = row.kind === 'fold';
  return html`<div
    id=${idOf(row.key)}
    class=${`row ${classOf(row)}${isActive ? ' active' : ''}`}
    part="row"
    role="treeitem"
    aria-level=${isFold ? 1 : row.level}
    aria-expanded=${isFold ? row.isOpen : nothing}
    aria-selected=${isActive}
    aria-setsize=${count}
    aria-posinset=${index + 1}
    data-index=${index}
  >
    ${isFold ? renderFold(row.entries) : renderEntry(row.entry, sizeOf(row.entry))}
  </div>`;
}

function renderEntry(entry: WireEntry, sizeBytes: number): TemplateResult {
  const { durationMs, state, message } = entry;
  const isTimed = durationMs !== undefined && state !== 'lost';
  return html`${icon(iconOf(entry))}
    <span class="visually-hidden">${directionOf(entry)}</span>
    <span class="method">${nameOfEntry(entry)}</span>
    <span class="subject">${subjectOf(entry)}</span>
    <span class="outcome">${outcomeOf(entry)}</span>
    <span class="duration">${isTimed ? formatDuration(durationMs) : nothing}</span>
    <span class="size">${message === undefined ? nothing : formatSize(sizeBytes)}</span>`;
}

/** How many lines of housekeeping there are, and which. */
function renderFold(entries: readonly WireEntry[]): TemplateResult {
  const count = formatNumber(entries.length);
  const names = new Set(entries.slice(0, NAMES_OF_FOLD).map((entry) => nameOfEntry(entry)));
  return html`${icon(chevronIcon)}
    <span class="method">${msg(str`Housekeeping: ${count}`, { id: 'mcp.wire.housekeeping' })}</span>
    <span class="subject">${[...names].join(', ')}</span>`;
}

function classOf(row: WireRow): string {
  if (row.kind === 'fold') return `fold${row.isOpen ? ' open' : ''}`;
  const failure = isFailure(row.entry) ? ' failure' : '';
  return `${row.entry.kind}${failure}${row.level === 2 ? ' inner' : ''}`;
}
