import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import type { StoreChanges } from '../changes/store-changes.js';
import { rangesOfPaths, type StoreScope } from '../changes/store-scope.js';
import { PageCache } from '../records/page-cache.js';
import { readRecords } from '../records/readable-records.js';
import type { StoredFile } from '../schema/schema.js';
import type { FilePage } from './file-records.js';
import { readPaths } from './file-search.js';

/** The path, type and size of a file. */
export type FileName = Pick<StoredFile, 'path' | 'mediaType' | 'size'>;

/** The cached names and paths of all files, regardless of the scope. */
export interface FileCache {
  names: PageCache<FileName>;
  paths: PageCache<string>;
}

/** The number of entries that an iteration holds at a time. */
const NAMES_PAGE = 1_000;

/** A page of the files of a scope; see `FileStore.list`. */
export async function readPage(
  database: Database,
  scope: StoreScope,
  {
    after,
    limit,
    folder,
  }: { after?: string | undefined; limit: number; folder?: string | undefined },
): Promise<FilePage> {
  const ranges = rangesOfPaths(scope, folder, after);
  // If one more than requested exists, there is another page.
  const query = { store: 'files', ranges, count: limit + 1, direction: 'next' } as const;
  const found = await readRecords(database, query);
  const files = found.slice(0, limit);
  const last = files.at(-1);
  return found.length > limit && last ? { files, next: last.path } : { files };
}

/** Counts the files of a scope, in a folder or in all; see `FileStore.count`. */
export async function countFiles(
  database: Database,
  scope: StoreScope,
  folder: string | undefined,
): Promise<number> {
  const ranges = rangesOfPaths(scope, folder);
  if (scope.files === 'all' && folder === undefined) return (await currentHead(database)).files;
  return await database.run(['files'], 'readonly', async (transaction) => {
    const store = transaction.objectStore('files');
    const counts = await Promise.all(ranges.map((range) => store.count(range)));
    return counts.reduce((sum, count) => sum + count, 0);
  });
}

/** Reads a page of files; see `FileStore.list`. */
type List = (options: { after?: string | undefined; limit: number }) => Promise<FilePage>;

/** The names of the files that are listed, in arrays. */
export async function* readNames(
  list: List,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<FileName[]> {
  let after: string | undefined;
  do {
    signal?.throwIfAborted();
    const page = await list({ after, limit: NAMES_PAGE });
    yield page.files.map(({ path, mediaType, size }) => ({ path, mediaType, size }));
    after = page.next;
  } while (after !== undefined);
}

/**
 * A cache of the names and paths of all files, until a file changes.
 *
 * @param list Lists all files.
 */
export function cacheOfFiles(database: Database, list: List, changes: StoreChanges): FileCache {
  const names = new PageCache<FileName>({
    read: (signal) => readNames(list, signal),
    lengthOf: ({ path, mediaType }) => path.length + mediaType.length,
  });
  const paths = new PageCache<string>({
    read: (signal) => readPaths(database, signal),
    lengthOf: (path) => path.length,
  });
  changes.listen((batch) => {
    if (batch.every(({ kind }) => kind === 'note')) return;
    names.invalidate();
    paths.invalidate();
  });
  return { names, paths };
}

/** The paths of all files, from the cache if it matches the current state of the database. */
export async function* currentPaths(
  database: Database,
  changes: StoreChanges,
  paths: PageCache<string>,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<readonly string[]> {
  const { sequence } = await currentHead(database, { signal });
  // The announcement of another tab may not have arrived yet.
  if (sequence !== changes.head?.sequence) await changes.catchUp();
  yield* paths.pages(signal);
}
