import type { StoreNames } from 'idb';
import type { Transaction } from './database/begin-transaction.js';
import type { Database } from './database/database.js';
import { formerRevisionOf, readHead } from './changes/journal.js';
import type { Head, StoreSchema } from './schema/schema.js';
import { StoreError } from './errors/store-error.js';

/** Whether each object store is emptied. The compiler requires an entry for each of them. */
const IS_CLEARED: { [Name in StoreNames<StoreSchema>]: boolean } = {
  notes: true,
  'note-texts': true,
  files: true,
  'file-bytes': true,
  'file-pieces': true,
  uploads: true,
  once: true,
  log: true,
  unindexed: true,
  'search-backlog': true,
  'search-segments': true,
  'search-stale': true,
  'search-blocks': true,
  // This ends the sync of the database, so the other devices keep their notes and files.
  sync: true,
  synced: true,
  unsynced: true,
  history: true,
  'history-contents': true,
  // The head keeps its id, so that no tab reports a loss.
  head: false,
  // The reserved space, which holds no data.
  ballast: false,
};

const CLEARED_STORES = (Object.keys(IS_CLEARED) as StoreNames<StoreSchema>[]).filter(
  (name) => IS_CLEARED[name],
);

const OPTIONS = { timeoutMs: 60_000, freesSpace: true };

/**
 * Deletes everything in one transaction. If the quota does not allow that, a first transaction only
 * deletes.
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
      const former = await readHead(heads);
      const { id, sequence } = former;
      // A revision that was counted here is at most the number of transactions.
      const formerRevisions = {
        note: Math.max(formerRevisionOf(former, 'note'), sequence),
        file: Math.max(formerRevisionOf(former, 'file'), sequence),
      };
      const head: Head = { id, sequence: sequence + 1, notes: 0, files: 0, formerRevisions };
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
