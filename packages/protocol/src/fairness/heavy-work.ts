import { startTimer } from './start-timer.js';

/**
 * Counts the running handlers of one holder that scan all stored data. A handler counts until it
 * ends: it may continue after its request was cancelled or has timed out.
 */
export class HeavyWork {
  /** Called when a handler no longer counts. */
  onend: (() => void) | undefined;
  readonly #longestMs: number;
  #count = 0;

  /**
   * @param longestMs After this time, in milliseconds, a handler that has not ended no longer
   *   counts.
   */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  get count(): number {
    return this.#count;
  }

  async run<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    this.#count += 1;
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#count -= 1;
      this.onend?.();
    };
    const timer = startTimer(end, this.#longestMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }
}
