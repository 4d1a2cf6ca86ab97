import type { Database } from '../database/database.js';

/** The timeout of the transaction: deleting a large index takes several seconds. */
const TIMEOUT_MS = 60_000;

/**
 * Deletes the search index in one transaction: all notes become pending. The sequence numbers of
 * changes are kept: an indexer that is running must still notice notes changed since its read.
 *
 * @param signal Aborts the transaction before the commit. Default: none.
 */
export async function resetIndex(
  database: Database,
  signal: AbortSignal | undefined,
): Promise<void> {
  await database.run(
    ['search-backlog', 'search-segments', 'search-stale', 'search-blocks'],
    'readwrite',
    async (transaction) => {
      await Promise.all([
        transaction.objectStore('search-segments').clear(),
        transaction.objectStore('search-stale').clear(),
        transaction.objectStore('search-blocks').clear(),
        transaction.objectStore('search-backlog').put('', 'note'),
      ]);
    },
    { signal, timeoutMs: TIMEOUT_MS },
  );
}
