/** How much is kept of all entries together, in code units of what they are named by. */
const MAX_KEPT_LENGTH = 4_000_000;

/** How long it is kept after it was last used, in milliseconds. */
const KEPT_MS = 30_000;

/** What is kept, and where it comes from. */
export interface KeptPagesOptions<Entry> {
  /** Reads all entries, some at a time. */
  read(signal: AbortSignal | undefined): AsyncIterable<Entry[]>;
  /** How long the strings of an entry are. */
  lengthOf(entry: Entry): number;
}

/**
 * A few facts of every entry of the store, kept in memory for a while once they were read: whoever
 * looks through all of them at each key that is pressed reads them from the disk once. More than
 * {@link MAX_KEPT_LENGTH} is read anew each time.
 */
export class KeptPages<Entry> {
  readonly #options: KeptPagesOptions<Entry>;
  #kept: Entry[][] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts how often what was read has become another. */
  #version = 0;

  constructor(options: KeptPagesOptions<Entry>) {
    this.#options = options;
  }

  /** @param signal Ends it: the next step rejects with its reason. */
  async *pages(signal?: AbortSignal): AsyncIterableIterator<readonly Entry[]> {
    signal?.throwIfAborted();
    if (this.#kept) {
      this.#keep(this.#kept);
      return yield* this.#kept;
    }
    const version = this.#version;
    const read: Entry[][] = [];
    let length = 0;
    for await (const page of this.#options.read(signal)) {
      length += page.reduce((sum, entry) => sum + this.#options.lengthOf(entry), 0);
      if (length <= MAX_KEPT_LENGTH) read.push(page);
      yield page;
    }
    if (length <= MAX_KEPT_LENGTH && version === this.#version) this.#keep(read);
  }

  /** What was read is no longer so. */
  drop(): void {
    this.#version += 1;
    this.#kept = undefined;
    clearTimeout(this.#timer);
  }

  #keep(pages: Entry[][]): void {
    this.#kept = pages;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#kept = undefined;
    }, KEPT_MS);
  }
}
