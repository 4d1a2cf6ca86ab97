/** How much is kept of all entries together, in code units of what they are named by. */
const MAX_CACHED_LENGTH = 4_000_000;

/** How long it is kept after it was last used, in milliseconds. */
const TTL_MS = 30_000;

/** What is kept, and where it comes from. */
export interface PageCacheOptions<Entry> {
  /** Reads all entries, some at a time. */
  read(signal: AbortSignal | undefined): AsyncIterable<Entry[]>;
  /** How long the strings of an entry are. */
  lengthOf(entry: Entry): number;
}

/**
 * A few facts of every entry of the store, kept in memory for a while once they were read: whoever
 * looks through all of them at each key that is pressed reads them from the disk once. More than
 * {@link MAX_CACHED_LENGTH} is read anew each time.
 */
export class PageCache<Entry> {
  readonly #options: PageCacheOptions<Entry>;
  #cached: Entry[][] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts how often what was read has become another. */
  #version = 0;

  constructor(options: PageCacheOptions<Entry>) {
    this.#options = options;
  }

  /** @param signal Ends it: the next step rejects with its reason. */
  async *pages(signal?: AbortSignal): AsyncIterableIterator<readonly Entry[]> {
    signal?.throwIfAborted();
    if (this.#cached) {
      this.#cache(this.#cached);
      return yield* this.#cached;
    }
    const version = this.#version;
    const read: Entry[][] = [];
    let length = 0;
    for await (const page of this.#options.read(signal)) {
      length += page.reduce((sum, entry) => sum + this.#options.lengthOf(entry), 0);
      if (length <= MAX_CACHED_LENGTH) read.push(page);
      yield page;
    }
    if (length <= MAX_CACHED_LENGTH && version === this.#version) this.#cache(read);
  }

  /** What was read is no longer so. */
  invalidate(): void {
    this.#version += 1;
    this.#cached = undefined;
    clearTimeout(this.#timer);
  }

  #cache(pages: Entry[][]): void {
    this.#cached = pages;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#cached = undefined;
    }, TTL_MS);
  }
}
