import { rangeAfter } from '../records/readable-records.js';
import type { SearchStores, SearchTransaction } from './index-state.js';

/** The object stores that list the pending notes. */
export const PENDING_STORES: SearchStores = ['unindexed', 'search-backlog', 'notes'];

/** The number of ids that one request reads. */
const PAGE = 10_000;

/** The keys of changed notes in `unindexed`: an array sorts after every string. */
const changedNotes = (): IDBKeyRange => IDBKeyRange.bound(['note', ''], ['note', []]);

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

/** The newest of the pending notes. */
export interface NewestPending {
  /** The ids, ascending. */
  ids: string[];
  /** The number of all other pending notes. */
  omitted: number;
}

/** @param limit The most notes of each kind, those that have changed and those of the backlog. */
export async function readNewestPending(
  transaction: SearchTransaction<'readonly'>,
  limit: number,
): Promise<NewestPending> {
  const [changed, position] = await Promise.all([
    readNewestKeys(transaction.objectStore('unindexed'), changedNotes(), limit),
    transaction.objectStore('search-backlog').get('note'),
  ]);
  const ids = changed.keys.map(([, id]) => id);
  if (position === undefined) return { ids, omitted: changed.omitted };
  const after = IDBKeyRange.lowerBound(position, true);
  const backlog = await readNewestKeys(transaction.objectStore('notes'), after, limit);
  return {
    ids: [...new Set([...ids, ...backlog.keys])].toSorted(),
    omitted: changed.omitted + backlog.omitted,
  };
}

interface Keys<Key> {
  count(range: IDBKeyRange): Promise<number>;
  getAllKeys(range: IDBKeyRange, count?: number): Promise<Key[]>;
  openKeyCursor(
    range: IDBKeyRange,
    direction: 'prev',
  ): Promise<{ advance(count: number): Promise<{ key: IDBValidKey } | null> } | null>;
}

/** The last keys of a range, ascending. */
async function readNewestKeys<Key>(
  store: Keys<Key>,
  range: IDBKeyRange,
  limit: number,
): Promise<{ keys: Key[]; omitted: number }> {
  const first = await store.getAllKeys(range, limit + 1);
  if (first.length <= limit) return { keys: first, omitted: 0 };
  const end = await store.openKeyCursor(range, 'prev');
  const before = (await end!.advance(limit))!;
  const newest = rangeAfter(range, before.key, 'next')!;
  const [keys, count] = await Promise.all([store.getAllKeys(newest), store.count(range)]);
  return { keys, omitted: count - keys.length };
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
    const range = IDBKeyRange.bound(['note', last], changedNotes().upper, true);
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
  // Usually no keys exist, and `getAll` would take a quarter of the time of a search.
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
