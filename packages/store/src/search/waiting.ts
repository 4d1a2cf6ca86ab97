import type { SearchKind } from '../schema/schema.js';
import type { SearchStores, SearchTransaction } from './index-state.js';

/** How many keys are read by one request. */
const PAGE = 10_000;

const RECORD_STORES = { note: 'notes', file: 'files' } as const satisfies {
  [kind in SearchKind]: SearchStores[number];
};

/** Which of the keys that wait are to be read. */
interface WaitingRange {
  /** The first and the last key. Default: all. */
  range?: readonly [first: string, last: string];
  /** The most of them, the first ones. Default: all. */
  most?: number;
}

/** What waits for the index. */
export interface Waiting {
  /** The last key of the backlog that the index has passed; undefined where there is no backlog. */
  position: string | undefined;
  /**
   * The keys that wait, ascending, each with the sequence number of its last change; 0 for what is in
   * the backlog and has not changed since.
   */
  sequences: Map<string, number>;
}

/** The same without the sequence numbers. */
interface WaitingKeys {
  position: string | undefined;
  keys: string[];
  /** Those of them that have changed. */
  changed: string[];
}

/** The object stores that these functions read: what waits of a kind is found in several. */
export function waitingStores(kind: SearchKind): SearchStores {
  return ['unindexed', 'search-backlog', RECORD_STORES[kind]];
}

/** The keys of a kind that wait for the index, ascending. */
export async function readWaitingKeys(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
): Promise<string[]> {
  return (await readKeys(transaction, kind, {})).keys;
}

/** The same with the last change of each. */
export async function readWaiting(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
  waitingRange: WaitingRange,
): Promise<Waiting> {
  const { position, keys, changed } = await readKeys(transaction, kind, waitingRange);
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
  { range, most = Infinity }: WaitingRange,
): Promise<WaitingKeys> {
  const unindexed = transaction.objectStore('unindexed');
  const [position, changed] = await Promise.all([
    transaction.objectStore('search-backlog').get(kind),
    readPages(most, async (after, count) => {
      if (after !== undefined && after === range?.[1]) return [];
      const lower: [SearchKind, string] = [kind, after ?? range?.[0] ?? ''];
      // Behind all keys of the kind: an array comes after every string.
      const upper = [kind, range?.[1] ?? []];
      const page = IDBKeyRange.bound(lower, upper, after !== undefined);
      return (await unindexed.getAllKeys(page, count)).map(([, key]) => key);
    }),
  ]);
  if (position === undefined) return { position, keys: changed, changed };
  const records = transaction.objectStore(RECORD_STORES[kind]);
  const backlog = await readPages(most, async (after, count) => {
    const page = rangeAfter(position, after, range);
    return page ? await records.getAllKeys(page, count) : [];
  });
  return { position, keys: mergedOf(changed, backlog).slice(0, most), changed };
}

/** What is in a range, and behind a position and a key; undefined where nothing can be. */
function rangeAfter(
  position: string,
  after: string | undefined,
  range: WaitingRange['range'],
): IDBKeyRange | undefined {
  const passed = after ?? position;
  if (!range) return IDBKeyRange.lowerBound(passed, true);
  const [first, last] = range;
  if (passed >= last) return undefined;
  return passed < first ? IDBKeyRange.bound(first, last) : IDBKeyRange.bound(passed, last, true);
}

/** Reads keys page by page, each after the last key of the one before. */
async function readPages(
  most: number,
  read: (after: string | undefined, count: number) => Promise<string[]>,
): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < most) {
    const count = Math.min(PAGE, most - keys.length);
    const page = await read(keys.at(-1), count);
    for (const key of page) keys.push(key);
    if (page.length < count) break;
  }
  return keys;
}

/** Ascending keys made of two such, each key once. */
function mergedOf(a: readonly string[], b: readonly string[]): string[] {
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
