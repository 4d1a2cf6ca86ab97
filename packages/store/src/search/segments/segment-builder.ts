import type { SearchBlock, SearchSegment } from '../../schema/schema.js';
import { encode, posting, type Postings } from './postings.js';
import { segmentation } from '../words/segmentation.js';
import type { Yielder } from '../words/yielder.js';
import { sortWithYields } from './sorted-keys.js';

/** The maximum size of a segment; only its last entry may exceed this. */
export const MAX_SEGMENT_SIZE = 8 * 1024 * 1024;

/** The maximum number of different words, not counting the last entry: the builder keeps all in memory. */
const MAX_SEGMENT_WORDS = 100_000;

/** The size of a block, in bytes: a query reads at least one block for each word. */
const BLOCK_BYTES = 16_384;

/**
 * The minimum length of a part of a text that keeps the whole text in memory. A shorter part is a string of
 * its own.
 */
const MIN_SLICED_LENGTH = 13;

/** The number of words that are added before the builder may yield. */
const WORDS_AT_ONCE = 1_024;

/** A segment, and its blocks by their number. */
export interface BuiltSegment {
  segment: SearchSegment;
  blocks: SearchBlock[];
}

/** Builds the inverted index of a segment: from words by entry to entries by word. */
export class SegmentBuilder {
  readonly #keys: string[] = [];
  readonly #postings = new Map<string, Postings>();
  #size = 0;

  get isFull(): boolean {
    return this.#size >= MAX_SEGMENT_SIZE || this.#hasManyWords;
  }

  /** Adds the entry of a note. Ids must ascend. */
  async add(
    key: string,
    weights: ReadonlyMap<string, number>,
    size: number,
    yielder: Yielder,
  ): Promise<void> {
    const entry = this.#keys.push(key) - 1;
    this.#size += size;
    let added = 0;
    for (const [word, weight] of weights) {
      const postings = this.#postings.get(word);
      if (postings) postings.push(posting(entry, weight));
      else this.#postings.set(copyString(word), [posting(entry, weight)]);
      added += 1;
      if (added % WORDS_AT_ONCE === 0 && yielder.isDue) await yielder.yield();
    }
  }

  /** Returns the segment. No entry can be added afterwards. */
  async finish(yielder: Yielder): Promise<BuiltSegment> {
    // With many words it counts as full, regardless of its size, because merging it would add even more
    // words.
    const size = this.#hasManyWords ? Math.max(this.#size, MAX_SEGMENT_SIZE) : this.#size;
    const blocks: SearchBlock[] = [];
    let words: string[] = [];
    let starts: number[] = [];
    let bytes: number[] = [];
    let wordsLength = 0;
    const close = (): void => {
      blocks.push({ words, starts: Uint32Array.from(starts), postings: Uint8Array.from(bytes) });
      [words, starts, bytes, wordsLength] = [[], [], [], 0];
    };
    for (const word of await sortWithYields(this.#postings.keys(), yielder)) {
      words.push(word);
      wordsLength += word.length;
      starts.push(bytes.length);
      encode(this.#postings.get(word) ?? [], bytes);
      this.#postings.delete(word);
      if (bytes.length + wordsLength < BLOCK_BYTES) continue;
      close();
      if (yielder.isDue) await yielder.yield();
    }
    if (words.length > 0) close();
    const firstWords = blocks.map((block) => block.words[0] ?? '');
    const parts = { segmentation: segmentation(), keys: this.#keys, firstWords, size };
    return { segment: { kind: 'note', ...parts }, blocks };
  }

  get #hasManyWords(): boolean {
    return this.#postings.size >= MAX_SEGMENT_WORDS;
  }
}

/** Copies a string that may be a slice of a text. */
function copyString(word: string): string {
  return word.length < MIN_SLICED_LENGTH ? word : Array.from(word).join('');
}
