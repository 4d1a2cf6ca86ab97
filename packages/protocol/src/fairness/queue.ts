/** A FIFO queue from which any item can be removed. */
export class Queue<Item> {
  readonly #items = new Set<Item>();
  /** Continues after the items it has returned, also when items are added later. */
  #order = this.#items.values();

  get size(): number {
    return this.#items.size;
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  delete(item: Item): boolean {
    return this.#items.delete(item);
  }

  /** Removes and returns the oldest item, if any. */
  shift(): Item | undefined {
    let next = this.#order.next();
    if (next.done) {
      // An iterator that has reached its end stays there.
      this.#order = this.#items.values();
      next = this.#order.next();
    }
    if (next.value) this.delete(next.value);
    return next.value;
  }
}
