/** A pause this long, in milliseconds, ends a row of refusals. */
const PAUSE_MS = 1_000;

/** How many messages may come: so many at once after a pause, and so many a second in the long run. */
export class TokenBucket {
  /** How many were refused without a pause of a second between them. */
  refusedInRow = 0;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = 0;
  #refusedAt = 0;

  /** Either may be `Infinity`: then nothing is refused. */
  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Whether nothing is ever refused. */
  get isUnlimited(): boolean {
    return this.#perSecond === Infinity || this.#burst === Infinity;
  }

  /** Whether there are as many tokens as there can be. */
  isFull(now: number): boolean {
    return this.#filledBy(now) >= this.#burst;
  }

  /**
   * Takes a token for a message.
   *
   * @param now In milliseconds, on a clock that never goes back.
   * @returns 0 when there was one, else in how many milliseconds there will be.
   */
  take(now: number): number {
    if (this.isUnlimited) return 0;
    this.#tokens = this.#filledBy(now);
    this.#filledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return 0;
    }
    this.refusedInRow = now - this.#refusedAt < PAUSE_MS ? this.refusedInRow + 1 : 1;
    this.#refusedAt = now;
    return Math.ceil(((1 - this.#tokens) * 1_000) / this.#perSecond);
  }

  #filledBy(now: number): number {
    const filled = this.#tokens + ((now - this.#filledAt) * this.#perSecond) / 1_000;
    return Math.min(this.#burst, filled);
  }
}
