import { decodeCursor, encodeCursor } from './page-cursor.js';
import { badCursorError } from './protocol-errors.js';
import type { HandlerSeam } from './request-handlers.js';

/** How many tools or prompts one page of their list holds. */
export const LIST_PAGE_SIZE = 100;

interface Named {
  name: string;
}

/** The entries of the lists that `McpServer` answers whole (Utilities › Pagination). */
const ENTRIES_OF: { [method: string]: string } = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
};

/**
 * Cuts a list of tools or prompts into pages. A cursor names the last entry before the page, so
 * that what is added or removed elsewhere moves nothing.
 */
export const inPages: HandlerSeam = (method, handler) => {
  const key = Object.hasOwn(ENTRIES_OF, method) ? ENTRIES_OF[method] : undefined;
  if (key === undefined) return handler;
  return async (request, ctx) => {
    const { [key]: all, ...rest } = (await handler(request, ctx)) as { [key: string]: Named[] };
    const entries = all ?? [];
    const start = startOf(
      entries,
      key,
      (request.params as { cursor?: string } | undefined)?.cursor,
    );
    const page = entries.slice(start, start + LIST_PAGE_SIZE);
    const last = page.at(-1);
    if (!last || start + page.length >= entries.length) return { ...rest, [key]: page };
    const nextCursor = encodeCursor({ provider: key, after: last.name, page: 1 });
    return { ...rest, [key]: page, nextCursor };
  };
};

/** @throws {ProtocolError} −32602 for a cursor of another list, or behind an entry that is gone. */
function startOf(entries: readonly Named[], key: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const { provider, after } = decodeCursor(cursor);
  const index = entries.findIndex(({ name }) => name === after);
  if (provider !== key || index < 0) throw badCursorError();
  return index + 1;
}
