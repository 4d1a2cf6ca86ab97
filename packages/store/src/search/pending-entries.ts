import type { SearchKind } from '../schema/schema.js';
import type { SearchStores, SearchTransaction } from './index-state.js';

/** How many keys are read by one request. */
const PAGE = 10_000;

const RECORD_STORES = { note: 'notes', file: 'files' } as const satisfies {
  [kind in SearchKind]: SearchStores[number];
};

/** Selects pending keys. */
interface PendingRange {
  /** The first and the last key. Default: all. */
  range?: readonly [first: string, last: string];
  /** The most keys; the first ones are read. Default: all. */
  limit?: number;
}

/** The entries that the index does not contain yet. */
export interface PendingEntries {
  /** The last key of the backlog that the indexer has passed; undefined if there is no backlog. */
  position: string | undefined;
  /**
   * The pending keys, ascending, each with the sequence number of its last change; 0 for an entry
   * of the backlog that has not changed since.
   */
  sequences: Map<string, number>;
}

/** Pending entries without the sequence numbers. */
interface PendingKeys {
  position: string | undefined;
  keys: string[];
  /** The keys of the entries that have changed. */
  changed: string[];
}

/** The object stores that list the pending entries of a kind. */
export function pendingStores(kind: SearchKind): SearchStores {
  return ['unindexed', 'search-backlog', RECORD_STORES[kind]];
}

/** Reads the pending keys of a kind, ascending. */
export async function readPendingKeys(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
): Promise<string[]> {
  return (await readKeys(transaction, kind, {})).keys;
}

/** Reads pending entries with the last change of each. */
export async function readPending(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
  pendingRange: PendingRange,
): Promise<PendingEntries> {
  const { position, keys, changed } = await readKeys(transaction, kind, pendingRange);
  const sequences = new Map(keys.map((key) => [key, 0]));
  const [first, last] = [changed[0], changed.at(-1)];
  if (first === undefined || last === undefined) return { position, sequences };
  const range = IDBKeyRange.bound([kind, first], [kind, last]);
  const values = await transaction.objectStore('unindexed').getAll(range);
  for (const [index, key] of changed.entries()) {
    if (sequences.has(key)) sequences.set(key, values[index] ?? 0);
  }
  return { position, sequences };
}

async function readKeys(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
  { range, limit = Infinity }: PendingRange,
): Promise<PendingKeys> {
  const unindexed = transaction.objectStore('unindexed');
  const [position, changed] = await Promise.all([
    transaction.objectStore('search-backlog').get(kind),
    readPages(limit, async (after, count) => {
      if (after !== undefined && after === range?.[1]) return [];
      const lower: [SearchKind, string] = [kind, after ?? range?.[0] ?? ''];
      // After all keys of the kind: an array sorts after every string.
      const upper = [kind, range?.[1] ?? []];
      const page = IDBKeyRange.bound(lower, upper, after !== undefined);
      return (await unindexed.getAllKeys(page, count)).map(([, key]) => key);
    }),
  ]);
  if (position === undefined) return { position, keys: changed, changed };
  const records = transaction.objectStore(RECORD_STORES[kind]);
  const backlog = await readPages(limit, async (after, count) => {
    const page = rangeAfter(position, after, range);
    return page ? await records.getAllKeys(page, count) : [];
  });
  return { position, keys: mergeSorted(changed, backlog).slice(0, limit), changed };
}

/** The part of a range after a position and a key; undefined if it is empty. */
function rangeAfter(
  position: string,
  after: string | undefined,
  range: PendingRange['range'],
): IDBKeyRange | undefined {
  const passed = after ?? position;
  if (!range) return IDBKeyRange.lowerBound(passed, true);
  const [first, last] = range;
  if (passed >= last) return undefined;
  return passed < first ? IDBKeyRange.bound(first, last) : IDBKeyRange.bound(passed, last, true);
}

/** Reads keys page by page, each page after the last key of the previous one. */
async function readPages(
  limit: number,
  read: (after: string | undefined, count: number) => Promise<string[]>,
): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < limit) {
    const count = Math.min(PAGE, limit - keys.length);
    const page = await read(keys.at(-1), count);
    for (const key of page) keys.push(key);
    if (page.length < count) break;
  }
  return keys;
}

/** Merges two ascending lists of keys, without duplicates. */
function mergeSorted(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = [];
  for (let [inA, inB] = [0, 0]; inA < a.length || inB < b.length;) {
    const [fromA, fromB] = [a[inA], b[inB]];
    const isA = fromB === undefined || (fromA !== undefined && fromA <= fromB);
    merged.push(isA ? fromA! : fromB);
    if (isA) inA += 1;
    if (!isA || fromA === fromB) inB += 1;
  }
  return merged;
}
