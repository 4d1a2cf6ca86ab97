/**
 * The waiting items of several owners, which take turns: an owner with more items has no more
 * turns than the others.
 */
export class RoundRobinQueue<Owner, Item> {
  /** The owners with waiting items; the first has waited longest for its turn. */
  readonly #queues = new Map<Owner, Queue<Item>>();
  #size = 0;

  /** The number of items that wait. */
  get size(): number {
    return this.#size;
  }

  add(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner) ?? new Queue<Item>();
    this.#queues.set(owner, queue);
    queue.add(item);
    this.#size += 1;
  }

  /** Removes an item, if it waits. */
  delete(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner);
    if (!queue?.delete(item)) return;
    this.#size -= 1;
    if (queue.size === 0) this.#queues.delete(owner);
  }

  /** Removes all items of an owner. */
  deleteAll(owner: Owner): void {
    this.#size -= this.#queues.get(owner)?.size ?? 0;
    this.#queues.delete(owner);
  }

  /** Removes the oldest item of the next owner, and returns both; `undefined` if no item waits. */
  shift(): [owner: Owner, item: Item] | undefined {
    const [first] = this.#queues;
    if (!first) return undefined;
    const [owner, queue] = first;
    const item = queue.shift()!;
    this.#size -= 1;
    this.#queues.delete(owner);
    if (queue.size > 0) this.#queues.set(owner, queue);
    return [owner, item];
  }
}

/** A FIFO queue from which any item can be removed. */
class Queue<Item> {
  readonly #items = new Set<Item>();
  /**
   * The iterator over the items. It continues after the items it has returned, also when items are added
   * later.
   */
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
