/** What waits, the oldest first; any of it may leave. */
export class Queue<Item> {
  readonly #items = new Set<Item>();
  /** Goes on where it was, past what it has given, also when more is added later. */
  #order = this.#items.values();

  get size(): number {
    return this.#items.size;
  }

  get all(): Iterable<Item> {
    return this.#items;
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  delete(item: Item): boolean {
    return this.#items.delete(item);
  }

  /** Takes the oldest, if there is one. */
  shift(): Item | undefined {
    let next = this.#order.next();
    if (next.done) {
      // An iterator that has come to the end stays there.
      this.#order = this.#items.values();
      next = this.#order.next();
    }
    if (next.value) this.delete(next.value);
    return next.value;
  }
}
