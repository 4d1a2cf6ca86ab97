import { timeoutError } from '../errors/store-error.js';
import { inLargeTurn } from './transaction-turns.js';

/**
 * The maximum number of writes of one tab that have a transaction at the same time. The browser runs them one
 * after the other. With several, the browser is never idle. With a limit, a read does not wait for thousands
 * of writes, and a write that only waits for its turn does not time out.
 */
const MAX_RUNNING = 8;

/** A write that waits in the queue. */
interface QueuedWrite {
  start(): void;
  reject(error: Error): void;
}

/** The queue in which writes wait until they may begin. */
export class WriteQueue {
  readonly #waiting = new Set<QueuedWrite>();
  #running = 0;
  #large = 0;
  #onempty: (() => void) | undefined;

  /** Whether no write is running or waiting. */
  get isEmpty(): boolean {
    return this.#running === 0 && this.#large === 0;
  }

  /** Resolves once the queue is empty. Call it at most once. */
  whenEmpty(): Promise<void> {
    return new Promise((resolve) => (this.#onempty = resolve));
  }

  /**
   * Runs a write when it is its turn, in the order of the calls.
   *
   * @param signal Aborting it removes a waiting write, which then rejects with `signal.reason`.
   */
  async run<Value>(signal: AbortSignal | undefined, write: () => Promise<Value>): Promise<Value> {
    if (this.#running < MAX_RUNNING) this.#running += 1;
    // A write that ends leaves its slot to the next one.
    else await this.#waitForTurn(signal);
    try {
      return await write();
    } finally {
      this.#startNext();
    }
  }

  /**
   * Runs a large write like {@link run}. While it waits for its turn among those of all tabs, it takes no
   * slot, because the tab that has the turn needs one.
   */
  async runLarge<Value>(
    databaseName: string,
    signal: AbortSignal | undefined,
    write: () => Promise<Value>,
  ): Promise<Value> {
    this.#large += 1;
    try {
      return await inLargeTurn(databaseName, signal, () => this.run(signal, write));
    } finally {
      this.#large -= 1;
      this.#notifyIfEmpty();
    }
  }

  /** Rejects all waiting writes with `timeout`, because the running ones do not end. */
  rejectWaiting(): void {
    for (const { reject } of this.#waiting) reject(timeoutError('readwrite'));
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
      return this.#notifyIfEmpty();
    }
    this.#waiting.delete(next);
    next.start();
  }

  #notifyIfEmpty(): void {
    if (this.isEmpty) this.#onempty?.();
  }
}
