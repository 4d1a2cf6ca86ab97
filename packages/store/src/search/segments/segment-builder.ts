import type { SearchBlock, SearchKind, SearchSegment } from '../../schema/schema.js';
import { encode, posting, type Postings } from './postings.js';
import { segmentation } from '../words/segmentation.js';
import type { Slices } from '../words/slices.js';
import { sortedInSlices } from './sorted-keys.js';

/** The largest segment, but for one whose last entry makes it larger. */
export const MAX_SEGMENT_SIZE = 8 * 1024 * 1024;

/** The most different words, but for those of the last entry: while it is made all are in memory. */
const MAX_SEGMENT_WORDS = 100_000;

/** How large a block becomes, in bytes: what one word of a query has to read. */
const BLOCK_BYTES = 16_384;

/** A shorter part of a text is a string by itself; a longer one keeps the text in memory. */
const MIN_SLICED_LENGTH = 13;

/** How many words are added without a pause. */
const WORDS_AT_ONCE = 1_024;

/** A segment, and its blocks by their number. */
export interface BuiltSegment {
  segment: SearchSegment;
  blocks: SearchBlock[];
}

/** Turns the words of entries round: into the entries of words. */
export class SegmentBuilder {
  readonly #kind: SearchKind;
  readonly #keys: string[] = [];
  readonly #postings = new Map<string, Postings>();
  #size = 0;

  constructor(kind: SearchKind) {
    this.#kind = kind;
  }

  /** Whether it is time to finish. */
  get isFull(): boolean {
    return this.#size >= MAX_SEGMENT_SIZE || this.#hasManyWords;
  }

  /** Adds an entry, whose key must come after that of the one before. */
  async add(
    key: string,
    weights: ReadonlyMap<string, number>,
    size: number,
    slices: Slices,
  ): Promise<void> {
    const entry = this.#keys.push(key) - 1;
    this.#size += size;
    let added = 0;
    for (const [word, weight] of weights) {
      const postings = this.#postings.get(word);
      if (postings) postings.push(posting(entry, weight));
      else this.#postings.set(detached(word), [posting(entry, weight)]);
      added += 1;
      if (added % WORDS_AT_ONCE === 0 && slices.isOver) await slices.next();
    }
  }

  /** The whole. Nothing can be added any more. */
  async finish(slices: Slices): Promise<BuiltSegment> {
    // With many words it is as large as it may become, whatever the size: it is not to be made one
    // with others, which would have more of them.
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
    for (const word of await sortedInSlices(this.#postings.keys(), slices)) {
      words.push(word);
      wordsLength += word.length;
      starts.push(bytes.length);
      encode(this.#postings.get(word) ?? [], bytes);
      this.#postings.delete(word);
      if (bytes.length + wordsLength < BLOCK_BYTES) continue;
      close();
      if (slices.isOver) await slices.next();
    }
    if (words.length > 0) close();
    const firstWords = blocks.map((block) => block.words[0] ?? '');
    const parts = { segmentation: segmentation(), keys: this.#keys, firstWords, size };
    return { segment: { kind: this.#kind, ...parts }, blocks };
  }

  get #hasManyWords(): boolean {
    return this.#postings.size >= MAX_SEGMENT_WORDS;
  }
}

/** The same string, put together anew where it may be a slice of a text. */
function detached(word: string): string {
  return word.length < MIN_SLICED_LENGTH ? word : Array.from(word).join('');
}
