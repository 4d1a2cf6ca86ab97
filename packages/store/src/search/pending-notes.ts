import type { SearchStores, SearchTransaction } from './index-state.js';

/** The object stores that list the pending notes. */
export const PENDING_STORES: SearchStores = ['unindexed', 'search-backlog', 'notes'];

/** How many ids are read by one request. */
const PAGE = 10_000;

/** The notes that the index does not contain yet. */
export interface PendingNotes {
  /** The last id of the backlog that the indexer has passed; undefined if there is no backlog. */
  position: string | undefined;
  /**
   * The pending ids, ascending, each with the sequence number of its last change; 0 for a note of
   * the backlog that has not changed since.
   */
  sequences: ReadonlyMap<string, number>;
}

/**
 * Reads pending notes.
 *
 * @param limit The most notes; those with the first ids are read. Default: all.
 */
export async function readPending(
  transaction: SearchTransaction<IDBTransactionMode>,
  limit = Infinity,
): Promise<PendingNotes> {
  const [position, changed] = await Promise.all([
    transaction.objectStore('search-backlog').get('note'),
    readChanged(transaction, limit),
  ]);
  if (position === undefined) return { position, sequences: changed };
  const backlog = await readIdsAfter(transaction, position, limit);
  // Both are in order already, so that sorting only merges them.
  const ids = [...new Set([...changed.keys(), ...backlog])].toSorted().slice(0, limit);
  return { position, sequences: new Map(ids.map((id) => [id, changed.get(id) ?? 0])) };
}

/** Pending notes that have changed, with their sequence numbers: those with ids in a range. */
export async function readChangedBetween(
  transaction: SearchTransaction<IDBTransactionMode>,
  first: string,
  last: string,
): Promise<Map<string, number>> {
  return await readChangedIn(transaction, IDBKeyRange.bound(['note', first], ['note', last]));
}

async function readChanged(
  transaction: SearchTransaction<IDBTransactionMode>,
  limit: number,
): Promise<Map<string, number>> {
  const changed = new Map<string, number>();
  let last = '';
  for (;;) {
    const count = Math.min(PAGE, limit - changed.size);
    // Up to the last id: an array sorts after every string.
    const range = IDBKeyRange.bound(['note', last], ['note', []], true);
    const page = await readChangedIn(transaction, range, count);
    for (const [id, sequence] of page) changed.set((last = id), sequence);
    if (page.size < count || changed.size === limit) return changed;
  }
}

async function readChangedIn(
  transaction: SearchTransaction<IDBTransactionMode>,
  range: IDBKeyRange,
  count?: number,
): Promise<Map<string, number>> {
  const store = transaction.objectStore('unindexed');
  const keys = await store.getAllKeys(range, count);
  // Usually there are none, and `getAll` would take a quarter of the time of a search.
  const sequences = keys.length > 0 ? await store.getAll(range, count) : [];
  return new Map(keys.map(([, id], index) => [id, sequences[index] ?? 0]));
}

/** The ids of the notes after a position, ascending. */
export async function readIdsAfter(
  transaction: SearchTransaction<IDBTransactionMode>,
  position: string,
  limit = Infinity,
): Promise<string[]> {
  const store = transaction.objectStore('notes');
  const ids: string[] = [];
  for (;;) {
    const count = Math.min(PAGE, limit - ids.length);
    const after = IDBKeyRange.lowerBound(ids.at(-1) ?? position, true);
    const page = await store.getAllKeys(after, count);
    for (const id of page) ids.push(id);
    if (page.length < count || ids.length === limit) return ids;
  }
}
