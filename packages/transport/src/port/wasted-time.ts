/** The time of a read, in milliseconds, up to which it does not count. */
const QUICK_MS = 4;

/** The maximum time that a peer may waste, in milliseconds. */
const MAX_WASTED_MS = 250;

/** The time that is forgiven each second, in milliseconds: in the long run, 0.5 % of a thread. */
const FORGIVEN_MS = 5;

/**
 * The time that a thread has spent on reading the messages of one peer. Reading cannot be interrupted, and
 * its time cannot be predicted. So once a peer has wasted too much, its messages must stay unread.
 */
export class WastedTime {
  #wastedMs = 0;
  #addedAt = 0;

  /**
   * Adds the time of one read.
   *
   * @param now The time in milliseconds, on a monotonic clock.
   */
  add(elapsedMs: number, now: number): void {
    if (elapsedMs <= QUICK_MS) return;
    this.#wastedMs = this.#left(now) + elapsedMs;
    this.#addedAt = now;
  }

  /** Reads the data of a message, unless earlier ones of the peer took too long. Returns whether it was read. */
  tryRead(event: MessageEvent<unknown>): boolean {
    const start = performance.now();
    if (this.isTooMuch(start)) return false;
    // Browsers deserialise `data` on the first access.
    void event.data;
    const end = performance.now();
    this.add(end - start, end);
    return true;
  }

  /** Whether the peer's messages must stay unread now. */
  isTooMuch(now: number): boolean {
    return this.#left(now) > MAX_WASTED_MS;
  }

  /** Whether all wasted time is forgiven. */
  isForgiven(now: number): boolean {
    return this.#left(now) === 0;
  }

  #left(now: number): number {
    return Math.max(0, this.#wastedMs - ((now - this.#addedAt) / 1_000) * FORGIVEN_MS);
  }
}
