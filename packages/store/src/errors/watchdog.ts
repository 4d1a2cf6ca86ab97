import { timeoutError } from './store-error.js';

/** The delay of a timer, in milliseconds, from which on the page counts as frozen. */
const ASLEEP_MS = 2_000;

/** A timeout for something that may never settle, such as a transaction on a full disk. */
export class Watchdog {
  /** Rejects with `timeout` after the time. Never resolves. */
  readonly timeout: Promise<never>;
  readonly #timeoutMs: number;
  readonly #ontimeout: () => void;
  readonly #mode: 'readonly' | 'readwrite';
  #fail!: (error: Error) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;

  /**
   * @param ontimeout Called after the time, unless it was stopped before.
   * @param mode Whether it waits for a read, which needs no room on the disk. Default: it may need room.
   */
  constructor(
    timeoutMs: number,
    ontimeout: () => void,
    mode: 'readonly' | 'readwrite' = 'readwrite',
  ) {
    this.#timeoutMs = timeoutMs;
    this.#ontimeout = ontimeout;
    this.#mode = mode;
    this.timeout = new Promise((_resolve, reject) => (this.#fail = reject));
    this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Rejects the wait at once with this error. */
  reject(error: Error): void {
    this.stop();
    this.#fail(error);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#fire(), this.#timeoutMs);
  }

  #fire(): void {
    // When a frozen page wakes up, its timers are overdue and its events have not arrived yet.
    const overdueMs = performance.now() - this.#startedAt - this.#timeoutMs;
    if (overdueMs > ASLEEP_MS) return this.#start();
    this.#ontimeout();
    this.#fail(timeoutError(this.#mode));
  }
}
