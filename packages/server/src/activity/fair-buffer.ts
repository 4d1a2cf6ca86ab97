/** An entry with its place in the order of all entries. */
export interface Numbered<Entry> {
  /** The number of the entry, counted over all holders. */
  number: number;
  entry: Entry;
}

/**
 * A bounded buffer for the newest entries of several holders. When it is full, it evicts the oldest entry of
 * the holder with most entries. So a busy holder evicts only its own entries, and each holder has room for
 * its share.
 */
export class FairBuffer<Entry> {
  readonly #maximum: number;
  readonly #byHolder = new Map<string, Numbered<Entry>[]>();
  #count = 0;
  #lastNumber = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** All entries, the oldest first. */
  get all(): Entry[] {
    return inOrder(this.numbered);
  }

  /** All entries with their numbers, in any order. */
  get numbered(): Numbered<Entry>[] {
    return [...this.#byHolder.values()].flat();
  }

  /** Adds an entry. Returns the evicted entry and its holder, if any. */
  add(entry: Entry, holder: string): [evicted: Numbered<Entry>, holder: string] | undefined {
    this.#lastNumber += 1;
    const numbered = { number: this.#lastNumber, entry };
    const own = this.#byHolder.get(holder);
    if (own) own.push(numbered);
    else this.#byHolder.set(holder, [numbered]);
    this.#count += 1;
    return this.#count > this.#maximum ? this.#evictOne() : undefined;
  }

  clear(): void {
    this.#byHolder.clear();
    this.#count = 0;
  }

  #evictOne(): [evicted: Numbered<Entry>, holder: string] {
    let [longest] = this.#byHolder;
    for (const held of this.#byHolder) if (held[1].length > longest![1].length) longest = held;
    const [holder, entries] = longest!;
    const evicted = entries.shift()!;
    this.#count -= 1;
    // Empty lists are removed, so that the map never has more lists than entries.
    if (entries.length === 0) this.#byHolder.delete(holder);
    return [evicted, holder];
  }
}

/** Sorts entries, the oldest first. */
export function inOrder<Entry>(entries: readonly Numbered<Entry>[]): Entry[] {
  return entries.toSorted((a, b) => a.number - b.number).map(({ entry }) => entry);
}
