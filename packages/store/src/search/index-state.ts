import type { Transaction } from '../database/begin-transaction.js';
import { readHead } from '../changes/journal.js';
import type { SearchBlock, SearchKind, SearchSegment } from '../schema/schema.js';
import { BlockCache } from './segments/block-cache.js';
import { IndexDamage, partOf } from './index-damage.js';
import { segmentation } from './words/segmentation.js';

/** The object stores that searching and indexing read. */
export type SearchStores = (
  | 'head'
  | 'unindexed'
  | 'search-backlog'
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
      partOf(transaction.objectStore('search-stale').getAll()),
    ]);
    const numbers = states.map(({ segment }) => segment);
    this.#keepOnly(head.id, numbers);
    // Before the next wait, in which another transaction may forget what is no longer there for it.
    const tables = await Promise.all(
      numbers.map(async (number) => this.#tables.get(number) ?? (await readTable(store, number))),
    );
    const segments: KnownSegment[] = [];
    for (const [index, { segment: number, entries: stale }] of states.entries()) {
      const segment = tables[index]!;
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
        const block = await partOf(store.get([segment, number]));
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

/** Rejects with {@link IndexDamage} where another version of the browser has made the segment. */
async function readTable(
  store: { get(number: number): Promise<SearchSegment | undefined> },
  number: number,
): Promise<SearchSegment> {
  const table = await partOf(store.get(number));
  if (table.segmentation !== segmentation()) throw new IndexDamage('Another segmentation made it.');
  return table;
}
