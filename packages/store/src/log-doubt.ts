import { canLogBreak } from './log-renewal.js';

/** The browser closes a connection that broke down right after the transaction that showed it. */
export const CLOSE_EVENT_MS = 500;

/**
 * Whether the browser's log of the database may be broken off: see log-renewal.ts. It may after each
 * start, as nobody knows how the browser ended before.
 */
export class LogDoubt {
  #isThere = canLogBreak();
  #isSerious = false;
  /** When a write last failed for want of room. */
  #fullAt = Number.NEGATIVE_INFINITY;

  get isThere(): boolean {
    return this.#isThere;
  }

  /** Whether what is written now would most likely be lost. */
  get isSerious(): boolean {
    return this.#isSerious;
  }

  /** A write failed. */
  writeFailed(cause: 'quota' | 'unknown'): void {
    this.#fullAt = cause === 'quota' ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  /** The browser has closed the connection by itself. */
  brokeDown(): void {
    // SQLite, which has no such log, says of a full disk that there is no room. It might have enough
    // for a deletion, and not for what would have to be written before.
    if (performance.now() - this.#fullAt <= CLOSE_EVENT_MS) return;
    this.#isThere = canLogBreak();
    this.#isSerious = this.#isThere;
  }

  /** The log was renewed, or went with its database. */
  end(): void {
    this.#isThere = false;
    this.#isSerious = false;
  }
}
