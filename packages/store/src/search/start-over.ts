import { unwrap } from 'idb';
import type { Database } from '../database.js';
import type { SearchKind } from '../schema.js';

/** Years of notes take some seconds. */
const TIMEOUT_MS = 60_000;

/** Throws the search index away, in one transaction: from then on everything waits to be indexed. */
export async function startOver(database: Database): Promise<void> {
  await database.run(
    ['notes', 'files', 'unindexed', 'search-segments', 'search-stale', 'search-blocks'],
    'readwrite',
    async (transaction) => {
      const [notes, files] = await Promise.all([
        transaction.objectStore('notes').getAllKeys(),
        transaction.objectStore('files').getAllKeys(),
        transaction.objectStore('search-segments').clear(),
        transaction.objectStore('search-stale').clear(),
        transaction.objectStore('search-blocks').clear(),
      ]);
      // Past the promises, of which there may be thousands.
      const unindexed = unwrap(transaction.objectStore('unindexed'));
      const wait = (kind: SearchKind, keys: readonly string[]): void => {
        for (const key of keys) unindexed.put(0, [kind, key]);
      };
      wait('note', notes);
      wait('file', files);
    },
    { timeoutMs: TIMEOUT_MS },
  );
}
