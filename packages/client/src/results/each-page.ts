import { ClientError } from '../api/client-error.js';
import type { ListPage } from '../api/protocol-types.js';

/** The number of empty pages in a row after which a list counts as endless. */
const MAX_EMPTY_PAGES = 100;

/** The number of pages after which a list counts as endless. */
const MAX_PAGES = 10_000;

/**
 * Iterates over the pages of a list, and fetches each page on demand:
 * `eachPage((cursor) => client.listTools({ cursor }))`.
 *
 * @param fetchPage Called with the `nextCursor` of the previous page; first with `undefined`.
 * @throws {ClientError} `endless-list` if the server repeats a cursor, or sends 100 empty pages in a
 *   row or more than 10,000 pages. Other errors come from `fetchPage`.
 */
export async function* eachPage<Page extends ListPage>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
): AsyncIterableIterator<Page> {
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  let empty = 0;
  do {
    if (cursors.has(cursor) || empty >= MAX_EMPTY_PAGES || cursors.size >= MAX_PAGES)
      throw new ClientError('endless-list', 'The list of the server never ends.');
    cursors.add(cursor);
    const page = await fetchPage(cursor);
    empty = hasEntries(page) ? 0 : empty + 1;
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Whether a page has entries. This works for every list, because a page has one array. */
function hasEntries(page: ListPage): boolean {
  return Object.values(page).some((value) => Array.isArray(value) && value.length > 0);
}
