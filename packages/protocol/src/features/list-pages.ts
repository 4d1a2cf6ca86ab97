import { decodeCursor, encodeCursor } from './page-cursor.js';
import { invalidParams, type ProtocolError } from '../wire/errors.js';

/** How many tools or prompts one page of their list holds. */
export const LIST_PAGE_SIZE = 100;

interface Named {
  name: string;
}

/**
 * A page of a list of tools or prompts. A cursor names the last entry before the page, so that what
 * is added or removed elsewhere moves nothing (Utilities › Pagination).
 *
 * @param key The name of the list, such as `tools`.
 * @throws {ProtocolError} −32602 for a cursor of another list, or behind an entry that is gone.
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

/** The cursor was not made by this server: −32602. */
export function badCursorError(): ProtocolError {
  return invalidParams('Invalid cursor: start again without one.');
}

function startOf(key: string, entries: readonly Named[], cursor: string): number {
  const [list, after] = decodeCursor(cursor) ?? [];
  const index = entries.findIndex(({ name }) => name === after);
  if (list !== key || index < 0) throw badCursorError();
  return index + 1;
}
