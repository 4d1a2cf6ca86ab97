import type { Database } from '../database/database.js';

/** Deleting a large index takes some seconds. */
const TIMEOUT_MS = 60_000;

/**
 * Throws the search index away, in one transaction: from then on everything waits to be indexed. What
 * has changed, and when, stays known: who indexes at this moment must not take it for what it has read.
 *
 * @param signal Ends it before the commit. Default: none.
 */
export async function startOver(
  database: Database,
  signal: AbortSignal | undefined,
): Promise<void> {
  await database.run(
    ['search-backlog', 'search-segments', 'search-stale', 'search-blocks'],
    'readwrite',
    async (transaction) => {
      const backlog = transaction.objectStore('search-backlog');
      await Promise.all([
        transaction.objectStore('search-segments').clear(),
        transaction.objectStore('search-stale').clear(),
        transaction.objectStore('search-blocks').clear(),
        backlog.put('', 'note'),
        backlog.put('', 'file'),
      ]);
    },
    { signal, timeoutMs: TIMEOUT_MS },
  );
}
