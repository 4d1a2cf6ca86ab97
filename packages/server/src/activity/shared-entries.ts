interface Numbered<Entry> {
  /** Counts the entries of all holders. */
  number: number;
  entry: Entry;
}

/**
 * The newest entries of several holders, so many in all. Where there are too many, the oldest of the
 * holder that has most goes: one that adds without end only ever drives out its own, and each has
 * room for its share.
 */
export class SharedEntries<Entry> {
  readonly #maximum: number;
  readonly #held = new Map<string, Numbered<Entry>[]>();
  #count = 0;
  #lastNumber = 0;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The oldest first. */
  get all(): Entry[] {
    return [...this.#held.values()]
      .flat()
      .toSorted((a, b) => a.number - b.number)
      .map(({ entry }) => entry);
  }

  add(entry: Entry, holder: string): void {
    this.#lastNumber += 1;
    const numbered = { number: this.#lastNumber, entry };
    const own = this.#held.get(holder);
    if (own) own.push(numbered);
    else this.#held.set(holder, [numbered]);
    this.#count += 1;
    if (this.#count > this.#maximum) this.#dropOne();
  }

  clear(): void {
    this.#held.clear();
    this.#count = 0;
  }

  #dropOne(): void {
    let [longest] = this.#held;
    for (const held of this.#held) if (held[1].length > longest![1].length) longest = held;
    const [holder, entries] = longest!;
    entries.shift();
    this.#count -= 1;
    // No list is empty, so that there are never more of them than entries.
    if (entries.length === 0) this.#held.delete(holder);
  }
}
