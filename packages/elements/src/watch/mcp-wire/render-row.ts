import { html, nothing, type TemplateResult } from 'lit';
import { icon, warningIcon } from '../../base/look/icons.js';
import { formatDuration } from '../../base/text/duration.js';
import { formatSize } from '../../base/text/format.js';
import { directionOf, nameOfEntry, outcomeOf, subjectOf } from './entry-texts.js';
import { isFailure, type WireEntry } from './wire-entry.js';

// Paths of Lucide, as in look/icons.ts.
const sentIcon = 'M12 19V5M5 12l7-7 7 7';
const receivedIcon = 'M12 5v14M19 12l-7 7-7-7';
const notificationIcon =
  'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326';
const connectionIcon = 'M12 22v-5M9 8V2M15 8V2M18 8v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V8z';

/** Where a row stands. */
export interface RowPlace {
  index: number;
  /** How many rows exist. */
  count: number;
  isActive: boolean;
}

/** The id of a row in the list. */
export const idOf = ({ number }: WireEntry): string => `row-${number}`;

/** A line as an option of a list box. */
export function renderRow(
  entry: WireEntry,
  sizeBytes: number,
  { index, count, isActive }: RowPlace,
): TemplateResult {
  const { kind, durationMs, state, message } = entry;
  const isTimed = durationMs !== undefined && state !== 'lost';
  return html`<div
    id=${idOf(entry)}
    class=${`row ${kind}${isFailure(entry) ? ' failure' : ''}${isActive ? ' active' : ''}`}
    part="row"
    role="option"
    aria-selected=${isActive}
    aria-setsize=${count}
    aria-posinset=${index + 1}
    data-index=${index}
  >
    ${icon(iconOf(entry))}
    <span class="visually-hidden">${directionOf(entry)}</span>
    <span class="method">${nameOfEntry(entry)}</span>
    <span class="subject">${subjectOf(entry)}</span>
    <span class="outcome">${outcomeOf(entry)}</span>
    <span class="duration">${isTimed ? formatDuration(durationMs) : nothing}</span>
    <span class="size">${message === undefined ? nothing : formatSize(sizeBytes)}</span>
  </div>`;
}

function iconOf({ kind, direction }: WireEntry): string {
  if (kind === 'request') return direction === 'sent' ? sentIcon : receivedIcon;
  if (kind === 'notification') return notificationIcon;
  return kind === 'opened' || kind === 'closed' ? connectionIcon : warningIcon;
}
