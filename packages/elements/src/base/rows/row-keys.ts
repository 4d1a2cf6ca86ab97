/**
 * The index of the row that a key leads to, perhaps one before the first or after the last; `undefined`
 * for a key that does not move.
 *
 * @param current The index of the row that the keyboard is at; −1 for none.
 * @param rowsPerPage How many rows Page Down moves by.
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
