import { indexForKey } from '../../../base/rows/row-keys.js';
import { isHeading, type Rows } from '../rows/row.js';

/**
 * The row that a key leads to; `undefined` for a key that does not move.
 *
 * @param current The index of the row that the keyboard is at; −1 for none.
 * @param rowsPerPage How many rows Page Down moves by.
 */
export function keyTarget(
  key: string,
  rows: Rows,
  current: number,
  rowsPerPage: number,
): number | undefined {
  const target = indexForKey(key, current, rows.length, rowsPerPage);
  if (target === undefined) return undefined;
  return stopNear(rows, target, /Up$|End/.test(key) ? -1 : 1);
}

/** The row at an index, or the nearest to it that is not a heading; first in the given direction. */
function stopNear(rows: Rows, index: number, step: 1 | -1): number {
  const start = Math.max(0, Math.min(index, rows.length - 1));
  for (const direction of [step, -step]) {
    for (let at = start; at >= 0 && at < rows.length; at += direction)
      if (!isHeading(rows.at(at))) return at;
  }
  return start;
}
