import { decodeCursor, encodeCursor } from './page-cursor.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';

/** The number of tools or prompts on one page of their list. */
export const LIST_PAGE_SIZE = 100;

interface Named {
  name: string;
}

/**
 * A page of a list of tools or prompts. A cursor names the last entry before the page, so other
 * entries can be added or removed without shifting the page (Utilities › Pagination).
 *
 * @param key The name of the list, such as `tools`.
 * @throws {ProtocolError} −32602 for a cursor of another list, or whose entry no longer exists.
 */
export function pageOf(
  key: string,
  entries: readonly Named[],
  cursor: unknown,
): { [key: string]: unknown } {
  const start = cursor === undefined ? 0 : startOf(key, entries, cursor as string);
  const page = entries.slice(start, start + LIST_PAGE_SIZE);
  const last = page.at(-1);
  if (!last || start + page.length >= entries.length) return { [key]: page };
  return { [key]: page, nextCursor: encodeCursor([key, last.name]) };
}

/** The error for a cursor that the server did not make: −32602. */
export function badCursorError(): ProtocolError {
  return invalidParams('Invalid cursor: start again without one.');
}

function startOf(key: string, entries: readonly Named[], cursor: string): number {
  const [list, after] = decodeCursor(cursor) ?? [];
  const index = entries.findIndex(({ name }) => name === after);
  if (list !== key || index < 0) throw badCursorError();
  return index + 1;
}
