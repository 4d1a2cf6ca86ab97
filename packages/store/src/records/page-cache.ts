/** The maximum total of {@link PageCacheOptions.lengthOf} that is cached, in code units. */
const MAX_CACHED_LENGTH = 4_000_000;

/** The time for which the pages stay cached after their last use, in milliseconds. */
const TTL_MS = 30_000;

/** The functions that read and measure the cached entries. */
export interface PageCacheOptions<Entry> {
  /** Reads all entries, in pages. */
  read(signal: AbortSignal | undefined): AsyncIterable<Entry[]>;
  /** The length of an entry's strings, in code units. */
  lengthOf(entry: Entry): number;
}

/**
 * A cache of some fields of all entries, in memory for a while after they were read, so that a filter that
 * runs at each key press reads them from the disk only once. More than {@link MAX_CACHED_LENGTH} is not
 * cached.
 */
export class PageCache<Entry> {
  readonly #options: PageCacheOptions<Entry>;
  #cached: Entry[][] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the invalidations. */
  #version = 0;

  constructor(options: PageCacheOptions<Entry>) {
    this.#options = options;
  }

  /** @param signal After an abort, the next step rejects with its reason. */
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

  /** Evicts all pages: the entries have changed. */
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
