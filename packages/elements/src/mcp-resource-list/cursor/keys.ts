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
  switch (key) {
    case 'ArrowDown':
      return stopNear(rows, current + 1, 1);
    case 'ArrowUp':
      return stopNear(rows, current < 0 ? rows.length - 1 : current - 1, -1);
    case 'PageDown':
      return stopNear(rows, current + rowsPerPage, 1);
    case 'PageUp':
      return stopNear(rows, current - rowsPerPage, -1);
    case 'Home':
      return stopNear(rows, 0, 1);
    case 'End':
      return stopNear(rows, rows.length - 1, -1);
    default:
      return undefined;
  }
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
