import { canLogBreak, renewLog } from './log-renewal.js';
import { Watchdog } from '../errors/watchdog.js';

/** The browser closes a connection that broke down right after the transaction that showed it. */
export const CLOSE_EVENT_MS = 500;

/** How long a write waits for the browser to begin another log. */
const RENEWAL_TIMEOUT_MS = 2_000;

/**
 * The browser's log of the database, which may be broken off: see log-renewal.ts. It may be at each
 * start, as nobody knows how the browser ended before, and whenever a connection was lost.
 */
export class BrowserLog {
  readonly #databaseName: string;
  readonly #onlate: () => void;
  /** How many reasons there are to doubt it. */
  #doubts = Number(canLogBreak());
  #isBroken = false;
  #isForRoom = false;
  #renewal: Promise<void> | undefined;
  /** When a write last failed for want of room. */
  #fullAt = Number.NEGATIVE_INFINITY;

  /** @param onlate Called when the browser does not answer in time, and nothing may be written before. */
  constructor(databaseName: string, onlate: () => void) {
    this.#databaseName = databaseName;
    this.#onlate = onlate;
  }

  /** Whether what is written now would most likely be lost. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * Whether it was lost when the browser had just said that there is no room, as it does with SQLite,
   * which has no such log. Then a deletion may still go in, and what would have to be done before not.
   */
  get isForRoom(): boolean {
    return this.#isForRoom;
  }

  /**
   * Resolves once the browser has begun another log; at once where it need not. Where it does not answer
   * in time, that is not waited for again unless the log is broken off for sure: it is still asked to,
   * and nobody is to be kept from writing for a mere doubt. Rejects as the attempt does.
   */
  async renewed(): Promise<void> {
    // Again where it came into doubt while another was begun: that may have been before.
    while (this.#doubts > 0) {
      this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
      await this.#renewal;
    }
  }

  /** A write failed. */
  writeFailed(cause: 'quota' | 'unknown'): void {
    this.#fullAt = cause === 'quota' ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  /** The connection was given up. */
  dropped(): void {
    this.#doubts += Number(canLogBreak());
  }

  /** The browser has closed the connection by itself. */
  brokeDown(): void {
    this.dropped();
    this.#isForRoom = performance.now() - this.#fullAt <= CLOSE_EVENT_MS;
    if (this.#doubts > 0 && !this.#isForRoom) this.#isBroken = true;
  }

  /** It is another one now. */
  replaced(): void {
    this.#doubts = 0;
    this.#isBroken = false;
    this.#isForRoom = false;
  }

  async #renew(): Promise<void> {
    const doubts = this.#doubts;
    const watchdog = new Watchdog(RENEWAL_TIMEOUT_MS, () => {
      if (this.#isBroken) this.#onlate();
      else this.#doubts = 0;
    });
    try {
      await Promise.race([renewLog(this.#databaseName), watchdog.late]);
      if (this.#doubts === doubts) this.replaced();
    } finally {
      watchdog.stop();
    }
  }
}
