import { canLogBeTruncated, rotateLog } from './log-rotation.js';
import { Watchdog } from '../errors/watchdog.js';

/** The browser closes a connection that broke down right after the transaction that showed it. */
export const CLOSE_EVENT_MS = 500;

/** How long a write waits for the browser to begin another log. */
const ROTATION_TIMEOUT_MS = 2_000;

/**
 * The browser's log of the database, which may be broken off: see log-renewal.ts. It may be at each
 * start, as nobody knows how the browser ended before, and whenever a connection was lost.
 */
export class BrowserLog {
  readonly #databaseName: string;
  readonly #ontimeout: () => void;
  /** How many reasons there are to doubt it. */
  #doubts = Number(canLogBeTruncated());
  #isTruncated = false;
  #wasFull = false;
  #rotation: Promise<void> | undefined;
  /** When a write last failed for want of room. */
  #fullAt = Number.NEGATIVE_INFINITY;

  /** @param ontimeout Called when the browser does not answer in time, and nothing may be written before. */
  constructor(databaseName: string, ontimeout: () => void) {
    this.#databaseName = databaseName;
    this.#ontimeout = ontimeout;
  }

  /** Whether what is written now would most likely be lost. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /**
   * Whether it was lost when the browser had just said that there is no room, as it does with SQLite,
   * which has no such log. Then a deletion may still go in, and what would have to be done before not.
   */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  /**
   * Resolves once the browser has begun another log; at once where it need not. Where it does not answer
   * in time, that is not waited for again unless the log is broken off for sure: it is still asked to,
   * and nobody is to be kept from writing for a mere doubt. Rejects as the attempt does.
   */
  async ensureRotated(): Promise<void> {
    // Again where it came into doubt while another was begun: that may have been before.
    while (this.#doubts > 0) {
      this.#rotation ??= this.#rotate().finally(() => (this.#rotation = undefined));
      await this.#rotation;
    }
  }

  /** A write failed. */
  recordFailedWrite(cause: 'quota' | 'unknown'): void {
    this.#fullAt = cause === 'quota' ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  /** The connection was given up. */
  recordDrop(): void {
    this.#doubts += Number(canLogBeTruncated());
  }

  /** The browser has closed the connection by itself. */
  recordLoss(): void {
    this.recordDrop();
    this.#wasFull = performance.now() - this.#fullAt <= CLOSE_EVENT_MS;
    if (this.#doubts > 0 && !this.#wasFull) this.#isTruncated = true;
  }

  /** It is another one now. */
  reset(): void {
    this.#doubts = 0;
    this.#isTruncated = false;
    this.#wasFull = false;
  }

  async #rotate(): Promise<void> {
    const doubts = this.#doubts;
    const watchdog = new Watchdog(ROTATION_TIMEOUT_MS, () => {
      if (this.#isTruncated) this.#ontimeout();
      else this.#doubts = 0;
    });
    try {
      await Promise.race([rotateLog(this.#databaseName), watchdog.timeout]);
      if (this.#doubts === doubts) this.reset();
    } finally {
      watchdog.stop();
    }
  }
}
