import type { SearchBlock } from '../../schema/schema.js';

/** The maximum total size of the blocks in memory, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The memory that a word takes in addition to its letters, in bytes. */
const WORD_BYTES = 40;

/** An LRU cache of blocks: while a user types a word, each letter needs the same blocks. */
export class BlockCache {
  /** The blocks, least recently used first. */
  readonly #blocks = new Map<string, SearchBlock>();
  #bytes = 0;

  get(segment: number, number: number): SearchBlock | undefined {
    const key = `${segment} ${number}`;
    const block = this.#blocks.get(key);
    if (!block) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  set(segment: number, number: number, block: SearchBlock): void {
    const key = `${segment} ${number}`;
    // Two searches may have read it concurrently.
    if (this.#blocks.has(key)) return;
    this.#blocks.set(key, block);
    this.#bytes += bytesOf(block);
    for (const [oldest, old] of this.#blocks) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#blocks.delete(oldest);
      this.#bytes -= bytesOf(old);
    }
  }

  clear(): void {
    this.#blocks.clear();
    this.#bytes = 0;
  }
}

function bytesOf({ words, starts, postings }: SearchBlock): number {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return letters + words.length * WORD_BYTES + starts.byteLength + postings.byteLength;
}
