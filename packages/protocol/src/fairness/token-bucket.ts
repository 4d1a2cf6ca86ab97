/** The length of a pause that resets `rejectedInRow`, in milliseconds. */
const PAUSE_MS = 1_000;

/** A rate limit for messages: a burst after a pause, and an average rate per second. */
export class TokenBucket {
  /** The number of messages that were rejected without a pause of a second between them. */
  rejectedInRow = 0;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = 0;
  #rejectedAt = 0;

  /** Creates a full bucket. Either number may be `Infinity`: then nothing is rejected. */
  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Whether nothing is ever rejected. */
  get isUnlimited(): boolean {
    return this.#perSecond === Infinity || this.#burst === Infinity;
  }

  /** Whether the bucket is full. */
  isFull(now: number): boolean {
    return this.#filledBy(now) >= this.#burst;
  }

  /**
   * Takes a token for a message.
   *
   * @param now The time in milliseconds, on a clock that never goes back.
   * @returns 0 if a token was free, else the milliseconds until one will be.
   */
  take(now: number): number {
    if (this.isUnlimited) return 0;
    this.#tokens = this.#filledBy(now);
    this.#filledAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return 0;
    }
    this.rejectedInRow = now - this.#rejectedAt < PAUSE_MS ? this.rejectedInRow + 1 : 1;
    this.#rejectedAt = now;
    return Math.ceil(((1 - this.#tokens) * 1_000) / this.#perSecond);
  }

  #filledBy(now: number): number {
    const filled = this.#tokens + ((now - this.#filledAt) * this.#perSecond) / 1_000;
    return Math.min(this.#burst, filled);
  }
}
