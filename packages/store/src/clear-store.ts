import type { StoreNames } from 'idb';
import type { Database } from './database.js';
import { readHead } from './journal.js';
import type { Head, StoreSchema } from './schema.js';

/** What is emptied: everything but where the database stands. */
const EMPTIED: StoreNames<StoreSchema>[] = [
  'notes',
  'note-texts',
  'files',
  'file-bytes',
  'file-pieces',
  'uploads',
  'once',
  'log',
  'unindexed',
  'search-segments',
  'search-stale',
  'search-blocks',
];

/** Deletes everything in one transaction. It stays the same database, so that nobody takes it for lost. */
export async function clearStore(database: Database): Promise<Head> {
  return await database.run(
    [...EMPTIED, 'head'],
    'readwrite',
    async (transaction) => {
      const heads = transaction.objectStore('head');
      const { id, sequence } = await readHead(heads);
      const head = { id, sequence: sequence + 1, notes: 0, files: 0 };
      await Promise.all([
        ...EMPTIED.map((name) => transaction.objectStore(name).clear()),
        heads.put(head, 'head'),
        transaction.objectStore('log').put('everything', head.sequence),
      ]);
      return head;
    },
    { timeoutMs: 60_000 },
  );
}
