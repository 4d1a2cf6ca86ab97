import { endWithinCost } from './layout-cost.js';

/**
 * The maximum size of the part of a text that is laid out, or parsed, at once. It is so small that no part
 * takes long, regardless of its content. It is in the unit of `endWithinCost`, and in lines.
 */
const MAX_COST = 4_096;
const MAX_LINES = 100;

/** The latest end of a portion of a text that begins at `start`; never within a surrogate pair. */
export function limitOfPortion(text: string, start: number, maxCost = MAX_COST): number {
  const limit = endWithinCost(text, start, maxCost);
  let end = start;
  for (let line = 0; line < MAX_LINES; line += 1) {
    const next = text.slice(end, limit).indexOf('\n') + 1;
    if (next === 0) return limit;
    end += next;
  }
  return end;
}

/** The end of a portion of a text: after its last complete line, or within its only line. */
export function endOfPortion(text: string, start: number, maxCost = MAX_COST): number {
  const end = limitOfPortion(text, start, maxCost);
  if (end === text.length) return end;
  const lines = text.slice(start, end).lastIndexOf('\n') + 1;
  return lines > 0 ? start + lines : end;
}
