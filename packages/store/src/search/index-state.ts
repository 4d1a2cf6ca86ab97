import type { Transaction } from '../database/begin-transaction.js';
import { readHead } from '../changes/journal.js';
import type { SearchBlock, SearchSegment } from '../schema/schema.js';
import { emptyBitmap } from './segments/bitmap.js';
import { BlockCache } from './segments/block-cache.js';
import { readPart } from './index-damage.js';
import { segmentation } from './words/segmentation.js';

/** The object stores that searches and the indexer read. */
export type SearchStores = (
  | 'head'
  | 'unindexed'
  | 'search-backlog'
  | 'search-segments'
  | 'search-stale'
  | 'search-blocks'
  | 'notes'
  | 'note-texts'
)[];

/** A transaction over some of them. */
export type SearchTransaction<Mode extends IDBTransactionMode> = Transaction<SearchStores, Mode>;

/** The object stores of the index, and the head of the database. */
export const INDEX_STORES: SearchStores = [
  'head',
  'search-segments',
  'search-stale',
  'search-blocks',
];

/** A segment as a transaction has read it. */
export interface KnownSegment {
  number: number;
  segment: SearchSegment;
  /** The tombstones: a bit for each entry, set if it has changed since; absent if none has. */
  stale: Uint8Array | undefined;
  /** Whether it was built by other rules, in another version of this software or of the browser. */
  isForeign: boolean;
}

/** The segments of a database and some of their blocks, in memory. They are immutable. */
export class SegmentCache {
  readonly #tables = new Map<number, SearchSegment>();
  readonly #blocks = new BlockCache();
  #databaseId: string | undefined;

  /** Reads all segments, and the number of notes in the database. */
  async read(
    transaction: SearchTransaction<IDBTransactionMode>,
  ): Promise<{ segments: KnownSegment[]; notes: number }> {
    const store = transaction.objectStore('search-segments');
    const [head, states] = await Promise.all([
      readHead(transaction.objectStore('head')),
      readPart(transaction.objectStore('search-stale').getAll()),
    ]);
    const numbers = states.map(({ segment }) => segment);
    this.#evictOthers(head.id, numbers);
    // All before the next await: during it, another transaction may evict deleted segments.
    const tables = await Promise.all(
      numbers.map(
        async (number) => this.#tables.get(number) ?? (await readPart(store.get(number))),
      ),
    );
    const segments = states.map(({ segment: number, entries }, index) => {
      const segment = tables[index]!;
      this.#tables.set(number, segment);
      // An earlier version also indexed files. If all are stale, the indexer removes the segment.
      const isOfFiles = segment.kind === 'file';
      const stale = isOfFiles ? emptyBitmap(segment.keys.length).fill(0xff) : entries;
      return { number, segment, stale, isForeign: segment.segmentation !== segmentation() };
    });
    return { segments, notes: head.notes };
  }

  /** @param numbers The numbers of the blocks, ascending. */
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
        const block = await readPart(store.get([segment, number]));
        this.#blocks.set(segment, number, block);
        return block;
      }),
    );
  }

  /** Evicts everything: the database may have been replaced by another one. */
  clear(): void {
    this.#tables.clear();
    this.#blocks.clear();
  }

  #evictOthers(databaseId: string, numbers: readonly number[]): void {
    if (this.#databaseId !== databaseId) this.clear();
    this.#databaseId = databaseId;
    const kept = new Set(numbers);
    for (const number of this.#tables.keys()) {
      if (!kept.has(number)) this.#tables.delete(number);
    }
  }
}
