import type { StoreNames } from 'idb';
import type { Transaction } from './database/begin-transaction.js';
import type { Database } from './database/database.js';
import { readHead } from './changes/journal.js';
import type { Head, StoreSchema } from './schema/schema.js';
import { StoreError } from './errors/store-error.js';

/** The object stores to empty: all but the head and the reserved space. */
const CLEARED_STORES: StoreNames<StoreSchema>[] = [
  'notes',
  'note-texts',
  'files',
  'file-bytes',
  'file-pieces',
  'uploads',
  'once',
  'log',
  'unindexed',
  'search-backlog',
  'search-segments',
  'search-stale',
  'search-blocks',
];

const OPTIONS = { timeoutMs: 60_000 };

/**
 * Deletes everything in one transaction. If the quota does not allow that, a first transaction only
 * deletes. The database keeps its id, so that no tab reports a loss.
 */
export async function clearStore(database: Database): Promise<Head> {
  const attempt = () => database.reservedSpace.runDeletion(() => clear(database), undefined);
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'quota-exceeded') throw error;
    await database.run(CLEARED_STORES, 'readwrite', clearObjectStores, OPTIONS);
    return await attempt();
  }
}

async function clearObjectStores(
  transaction: Transaction<typeof CLEARED_STORES, 'readwrite'>,
): Promise<void> {
  await Promise.all(CLEARED_STORES.map((name) => transaction.objectStore(name).clear()));
}

async function clear(database: Database): Promise<Head> {
  return await database.run(
    [...CLEARED_STORES, 'head'],
    'readwrite',
    async (transaction) => {
      const heads = transaction.objectStore('head');
      const { id, sequence } = await readHead(heads);
      const head = { id, sequence: sequence + 1, notes: 0, files: 0 };
      await Promise.all([
        ...CLEARED_STORES.map((name) => transaction.objectStore(name).clear()),
        heads.put(head, 'head'),
        transaction.objectStore('log').put('everything', head.sequence),
      ]);
      return head;
    },
    OPTIONS,
  );
}
