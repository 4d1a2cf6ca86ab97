/** Shorter times, in milliseconds, do not count. */
const QUICK_MS = 4;

/** How much time a peer may waste, in milliseconds. */
const MAX_WASTED_MS = 250;

/** Milliseconds that are forgiven each second: in the long run, 0.5 % of a thread. */
const FORGIVEN_MS = 5;

/**
 * The time that a thread has spent on reading the messages of one peer. Reading cannot be interrupted,
 * nor its time predicted: once a peer has wasted too much, its messages must stay unread.
 */
export class WastedTime {
  #wastedMs = 0;
  #addedAt = 0;

  /**
   * Adds the time of one read.
   *
   * @param now In milliseconds, on a monotonic clock.
   */
  add(elapsedMs: number, now: number): void {
    if (elapsedMs <= QUICK_MS) return;
    this.#wastedMs = this.#left(now) + elapsedMs;
    this.#addedAt = now;
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
