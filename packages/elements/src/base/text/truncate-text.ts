import { endWithinCost } from './layout-cost.js';
import { visibleText } from './visible-text.js';

/** The highest cost to lay out a short text: that of Latin letters, and of some changes of script. */
const maxCostOf = (length: number): number => 4 * length + 128;

/**
 * A string of a server, short enough to be shown in one place: a title, an address, an error. What
 * is longer ends in an ellipsis. A text that changes its script again and again takes long to lay
 * out, and is cut sooner. Never cuts within a surrogate pair. All that cannot be seen is shown by its
 * code (visible-text.ts).
 *
 * @param maxLength In UTF-16 code units, without the ellipsis, and before codes are written. Default:
 *   200.
 */
export function truncateText(text: string, maxLength = 200): string {
  // A client that checks nothing may deliver anything.
  if (typeof text !== 'string') return '';
  // A little more than the part that is kept is enough to look at.
  const start = text.slice(0, maxLength + 1);
  const end = Math.min(endWithinCost(start, 0, maxCostOf(maxLength)), maxLength);
  if (end === text.length) return visibleText(text);
  const splitsPair = text.codePointAt(end - 1)! > 0xffff;
  return `${visibleText(text.slice(0, splitsPair ? end - 1 : end))}…`;
}
