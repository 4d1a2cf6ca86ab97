import type { Transaction } from '../database.js';
import { readHead } from '../journal.js';
import type { SearchBlock, SearchKind, SearchSegment } from '../schema.js';
import { StoreError } from '../store-error.js';
import { BlockCache } from './block-cache.js';

/** The object stores that searching and indexing read. */
export type SearchStores = (
  | 'head'
  | 'unindexed'
  | 'search-segments'
  | 'search-stale'
  | 'search-blocks'
  | 'notes'
  | 'note-texts'
  | 'files'
)[];

/** A transaction over some of them. */
export type SearchTransaction<Mode extends IDBTransactionMode> = Transaction<SearchStores, Mode>;

/** Those of the index, and what says where the database stands. */
export const INDEX_STORES: SearchStores = [
  'head',
  'unindexed',
  'search-segments',
  'search-stale',
  'search-blocks',
];

/** A segment as it stands in a transaction. */
export interface KnownSegment {
  number: number;
  segment: SearchSegment;
  /** A bit for each entry that is another now; absent where none is. */
  stale: Uint8Array | undefined;
}

/** How many keys of `unindexed` are read by one request. */
const WAITING_PAGE = 10_000;

/** Which of the keys that wait are to be read. */
interface WaitingRange {
  range?: readonly [first: string, last: string];
  most?: number;
}

/** The segments of a database, and some of their blocks. They never change, and are kept in memory. */
export class Segments {
  readonly #tables = new Map<number, SearchSegment>();
  readonly #blocks = new BlockCache();
  #databaseId: string | undefined;

  /** All segments of a kind; how many entries the database has of either kind comes along. */
  async read(
    transaction: SearchTransaction<IDBTransactionMode>,
    kind: SearchKind,
  ): Promise<{ segments: KnownSegment[]; notes: number }> {
    const store = transaction.objectStore('search-segments');
    const [head, states] = await Promise.all([
      readHead(transaction.objectStore('head')),
      transaction.objectStore('search-stale').getAll(),
    ]);
    const numbers = states.map(({ segment }) => segment);
    this.#keepOnly(head.id, numbers);
    // Before the next wait, in which another transaction may forget what is no longer there for it.
    const tables = await Promise.all(
      numbers.map(async (number) => this.#tables.get(number) ?? (await store.get(number))),
    );
    const segments: KnownSegment[] = [];
    for (const [index, { segment: number, entries: stale }] of states.entries()) {
      const segment = tables[index];
      if (!segment) throw new StoreError('unreadable', 'A part of the search index is missing.');
      this.#tables.set(number, segment);
      if (segment.kind === kind) segments.push({ number, segment, stale });
    }
    return { segments, notes: head.notes };
  }

  /** Some blocks of a segment, by their numbers, which ascend. */
  async readBlocks(
    transaction: SearchTransaction<'readonly'>,
    segment: number,
    numbers: readonly number[],
  ): Promise<SearchBlock[]> {
    const store = transaction.objectStore('search-blocks');
    return await Promise.all(
      numbers.map(async (number) => {
        const known = this.#blocks.get(segment, number);
        if (known) return known;
        const block = await store.get([segment, number]);
        if (!block) throw new StoreError('unreadable', 'A part of the search index is missing.');
        this.#blocks.set(segment, number, block);
        return block;
      }),
    );
  }

  /** Forgets them: another database may have taken the place of the one that they are of. */
  clear(): void {
    this.#tables.clear();
    this.#blocks.clear();
  }

  #keepOnly(databaseId: string, numbers: readonly number[]): void {
    if (this.#databaseId !== databaseId) this.clear();
    this.#databaseId = databaseId;
    const kept = new Set(numbers);
    for (const number of this.#tables.keys()) {
      if (!kept.has(number)) this.#tables.delete(number);
    }
  }
}

/**
 * The keys of a kind that wait for the index, ascending.
 *
 * @param range The first and the last key. Default: all.
 * @param most The most of them. Default: all.
 */
export async function readWaitingKeys(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
  { range, most = Infinity }: WaitingRange = {},
): Promise<string[]> {
  const store = transaction.objectStore('unindexed');
  const waiting: string[] = [];
  let lower: [SearchKind, string] = [kind, range?.[0] ?? ''];
  // Behind all keys of the kind: an array comes after every string.
  const upper = range ? [kind, range[1]] : [kind, []];
  for (let isFirst = true; waiting.length < most; isFirst = false) {
    const count = Math.min(WAITING_PAGE, most - waiting.length);
    const keys = await store.getAllKeys(IDBKeyRange.bound(lower, upper, !isFirst), count);
    for (const [, key] of keys) waiting.push(key);
    const last = keys.at(-1);
    if (!last || keys.length < count) break;
    lower = last;
  }
  return waiting;
}

/** The same with the sequence number of the last change of each. */
export async function readWaiting(
  transaction: SearchTransaction<IDBTransactionMode>,
  kind: SearchKind,
  waitingRange?: WaitingRange,
): Promise<Map<string, number>> {
  const keys = await readWaitingKeys(transaction, kind, waitingRange);
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const range = IDBKeyRange.bound([kind, first], [kind, last]);
  const sequences = await transaction.objectStore('unindexed').getAll(range);
  return new Map(keys.map((key, index) => [key, sequences[index] ?? 0]));
}
