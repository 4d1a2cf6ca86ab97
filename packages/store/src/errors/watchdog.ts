import { storeErrorOf } from './store-error.js';

/** A timer that rings so much later than it should was asleep with its page. */
const ASLEEP_MS = 2_000;

/** Ends the wait for something that may never settle, such as a transaction on a full disk. */
export class Watchdog {
  /** Rejects with `timeout` once the time is over. Never resolves. */
  readonly timeout: Promise<never>;
  readonly #timeoutMs: number;
  readonly #ontimeout: () => void;
  #fail!: (error: Error) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;

  /** @param ontimeout Called once the time is over, unless it was stopped before. */
  constructor(timeoutMs: number, ontimeout: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#ontimeout = ontimeout;
    this.timeout = new Promise((_resolve, reject) => (this.#fail = reject));
    this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the wait at once, in this way. */
  end(error: Error): void {
    this.stop();
    this.#fail(error);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#fire(), this.#timeoutMs);
  }

  #fire(): void {
    // A page that was frozen wakes up with its timers overdue and its answers still on the way.
    const overdueMs = performance.now() - this.#startedAt - this.#timeoutMs;
    if (overdueMs > ASLEEP_MS) return this.#start();
    this.#ontimeout();
    this.#fail(storeErrorOf('timeout'));
  }
}
