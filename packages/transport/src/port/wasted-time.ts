/** What takes no longer than this, in milliseconds, keeps nobody waiting. */
const QUICK_MS = 4;

/** How much time may be wasted, in milliseconds, before it is too much. */
const MAX_WASTED_MS = 250;

/** How much of it is forgiven in each second: in the long run, half a hundredth of a thread. */
const FORGIVEN_MS = 5;

/**
 * The time in which a thread did nothing but read the messages of one peer. No message says how long
 * that takes, nor can it be stopped: a peer with which too much was wasted has to be left unread.
 */
export class WastedTime {
  #wastedMs = 0;
  #addedAt = 0;

  /**
   * Counts what took so long.
   *
   * @param now In milliseconds, on a clock that never goes back.
   */
  add(elapsedMs: number, now: number): void {
    if (elapsedMs <= QUICK_MS) return;
    this.#wastedMs = this.#left(now) + elapsedMs;
    this.#addedAt = now;
  }

  /** Whether nothing should be read at the moment. */
  isTooMuch(now: number): boolean {
    return this.#left(now) > MAX_WASTED_MS;
  }

  /** Whether all of it is forgiven. */
  isForgiven(now: number): boolean {
    return this.#left(now) === 0;
  }

  #left(now: number): number {
    return Math.max(0, this.#wastedMs - ((now - this.#addedAt) / 1_000) * FORGIVEN_MS);
  }
}
