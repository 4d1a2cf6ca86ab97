const BURST = 64;
const PER_SECOND = 8;

interface TokenBucket {
  tokens: number;
  at: number;
}

/**
 * Limits how fast a frame may open connections, even if it closes them at once: 64 at once, then 8 a
 * second. The server creates an instance for each connection.
 */
export class ConnectionRateLimiter {
  readonly #buckets = new WeakMap<Window, TokenBucket>();

  /** Takes a token of the frame; returns whether there was one, so that it may open a connection. */
  tryTake(frame: Window): boolean {
    const at = performance.now();
    const before = this.#buckets.get(frame) ?? { tokens: BURST, at };
    const refill = ((at - before.at) / 1_000) * PER_SECOND;
    const tokens = Math.min(before.tokens + refill, BURST);
    const mayOpen = tokens >= 1;
    this.#buckets.set(frame, { tokens: mayOpen ? tokens - 1 : tokens, at });
    return mayOpen;
  }
}
