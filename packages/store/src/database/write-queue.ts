import { storeErrorOf } from '../errors/store-error.js';

/**
 * How many writes of one tab may be transactions at the same time. The browser runs them one after
 * the other; with some waiting there it never stands idle, and with no more than that a read does not
 * wait for thousands of them, and none seems stuck that only waits for its turn.
 */
const MAX_RUNNING = 8;

/** Whoever waits in the line. */
interface QueuedWrite {
  start(): void;
  reject(error: Error): void;
}

/** The line in which writes wait until they may begin. */
export class WriteQueue {
  readonly #waiting = new Set<QueuedWrite>();
  #running = 0;
  #onempty: (() => void) | undefined;

  /** Whether nothing is under way or waits. */
  get isEmpty(): boolean {
    return this.#running === 0;
  }

  /** Resolves once that is so. Asked for once. */
  whenEmpty(): Promise<void> {
    return new Promise((resolve) => (this.#onempty = resolve));
  }

  /**
   * Runs a write when it is its turn, in the order of the calls.
   *
   * @param signal Aborting it while it waits takes it out: it then rejects with `signal.reason`.
   */
  async run<Value>(signal: AbortSignal | undefined, write: () => Promise<Value>): Promise<Value> {
    if (this.#running < MAX_RUNNING) this.#running += 1;
    // The place of the one before is passed on.
    else await this.#waitForTurn(signal);
    try {
      return await write();
    } finally {
      this.#startNext();
    }
  }

  /** Those that wait reject with `timeout`: what they wait for does not come to an end. */
  rejectWaiting(): void {
    for (const { reject } of this.#waiting) reject(storeErrorOf('timeout'));
    this.#waiting.clear();
  }

  #waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => signal?.removeEventListener('abort', abort);
      const waiting: QueuedWrite = {
        start: () => (leave(), resolve()),
        reject: (error) => (leave(), reject(error)),
      };
      const abort = (): void => {
        this.#waiting.delete(waiting);
        waiting.reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort);
      this.#waiting.add(waiting);
    });
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      if (this.#running === 0) this.#onempty?.();
      return;
    }
    this.#waiting.delete(next);
    next.start();
  }
}
