import { startTimer } from './start-timer.js';

/**
 * How many handlers of one connection look through everything that is stored, whether or not anybody
 * waits for them still: one whose request was cancelled, or is late, may go on all the same.
 */
export class HeavyWork {
  /** Called when some of it has come to its end. */
  onend: (() => void) | undefined;
  readonly #longestMs: number;
  #count = 0;

  /** @param longestMs After this time, in milliseconds, work that does not end no longer counts. */
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
