/**
 * The index of the row to which a key moves. It may be one before the first or after the last row;
 * `undefined` for a key that does not move.
 *
 * @param current The index of the active row; −1 for none.
 * @param rowsPerPage The number of rows by which Page Down moves.
 */
export function indexForKey(
  key: string,
  current: number,
  count: number,
  rowsPerPage: number,
): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return current + 1;
    case 'ArrowUp':
      return (current < 0 ? count : current) - 1;
    case 'PageDown':
      return current + rowsPerPage;
    case 'PageUp':
      return current - rowsPerPage;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
