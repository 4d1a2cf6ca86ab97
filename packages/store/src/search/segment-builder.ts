import type { SearchBlock, SearchKind, SearchSegment } from '../schema.js';
import { encode, posting, type Postings } from './postings.js';
import type { Slices } from './slices.js';

/** How large a block becomes, in bytes: what one word of a query has to read. */
const BLOCK_BYTES = 16_384;

/** A shorter part of a text is a string by itself; a longer one keeps the text in memory. */
const MIN_SLICED_LENGTH = 13;

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

  /** The sizes of its entries together. */
  get size(): number {
    return this.#size;
  }

  /** Adds an entry, whose key must come after that of the one before. */
  add(key: string, weights: ReadonlyMap<string, number>, size: number): void {
    const entry = this.#keys.push(key) - 1;
    this.#size += size;
    for (const [word, weight] of weights) {
      const postings = this.#postings.get(word);
      if (postings) postings.push(posting(entry, weight));
      else this.#postings.set(detached(word), [posting(entry, weight)]);
    }
  }

  /** The whole. Nothing can be added any more. */
  async finish(slices: Slices): Promise<BuiltSegment> {
    const blocks: SearchBlock[] = [];
    let words: string[] = [];
    let starts: number[] = [];
    let bytes: number[] = [];
    let wordsLength = 0;
    const close = (): void => {
      blocks.push({ words, starts: Uint32Array.from(starts), postings: Uint8Array.from(bytes) });
      [words, starts, bytes, wordsLength] = [[], [], [], 0];
    };
    for (const word of [...this.#postings.keys()].toSorted()) {
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
    const segment = { kind: this.#kind, keys: this.#keys, firstWords, size: this.#size };
    return { segment, blocks };
  }
}

/** The same string, put together anew where it may be a slice of a text. */
function detached(word: string): string {
  return word.length < MIN_SLICED_LENGTH ? word : Array.from(word).join('');
}
