import { ClientError } from '../api/client-error.js';
import type { ListPage } from '../api/protocol-types.js';

/** A list with so many pages in a row that have no entry is taken for one that never ends. */
const MAX_EMPTY_PAGES = 100;

/**
 * The pages of a list, one after the other, each fetched when it is asked for:
 * `eachPage((cursor) => client.listTools({ cursor }))`.
 *
 * @param fetchPage Called with the `nextCursor` of the page before, first without any.
 * @throws {ClientError} `endless-list` when the server names a cursor again, or after 100 pages in a
 *   row without an entry. Any other error is that of `fetchPage`.
 */
export async function* eachPage<Page extends ListPage>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
): AsyncIterableIterator<Page> {
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  let empty = 0;
  do {
    if (cursors.has(cursor) || empty >= MAX_EMPTY_PAGES)
      throw new ClientError(
        'endless-list',
        'The pages of the list that the server sends never end.',
      );
    cursors.add(cursor);
    const page = await fetchPage(cursor);
    empty = hasEntries(page) ? 0 : empty + 1;
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Whichever list it is: a page has one array. */
function hasEntries(page: ListPage): boolean {
  return Object.values(page).some((value) => Array.isArray(value) && value.length > 0);
}
