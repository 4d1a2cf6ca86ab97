import { endWithinCost } from './layout-cost.js';
import { visibleText } from './visible-text.js';

/** The maximum layout cost of a short text: that of Latin letters, and of some changes of script. */
const maxCostOf = (length: number): number => 4 * length + 128;

/**
 * A string of a server, short enough to be shown in one place: a title, an address, an error. A longer text
 * ends in an ellipsis. A text that often changes its script takes long to lay out, and is cut sooner. Never
 * cuts within a surrogate pair. Invisible characters are shown by their codes (visible-text.ts).
 *
 * @param maxLength The maximum length in UTF-16 code units, without the ellipsis, and before codes are
 *   written. Default: 200.
 */
export function truncateText(text: string, maxLength = 200): string {
  // A client that checks nothing may deliver any value.
  if (typeof text !== 'string') return '';
  // It is enough to examine a little more than the part that is kept.
  const start = text.slice(0, maxLength + 1);
  const end = Math.min(endWithinCost(start, 0, maxCostOf(maxLength)), maxLength);
  if (end === text.length) return visibleText(text);
  const splitsPair = text.codePointAt(end - 1)! > 0xffff;
  return `${visibleText(text.slice(0, splitsPair ? end - 1 : end))}…`;
}
