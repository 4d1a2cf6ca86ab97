/** The browser closes a connection that broke down right after the transaction that showed it. */
export const CLOSE_EVENT_MS = 500;

/** Whether the browser's log of the database may be broken off: see log-renewal.ts. */
export class LogDoubt {
  readonly #listener: (isInDoubt: boolean) => void;
  #isThere: boolean;
  /** When a write last failed for want of room. */
  #fullAt = Number.NEGATIVE_INFINITY;

  /**
   * @param isThere What is known of it from before.
   * @param listener Hears whether it is, each time that this changes.
   */
  constructor(isThere: boolean, listener: (isInDoubt: boolean) => void) {
    this.#isThere = isThere;
    this.#listener = listener;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  /** A write failed. */
  writeFailed(cause: 'quota' | 'unknown'): void {
    this.#fullAt = cause === 'quota' ? performance.now() : Number.NEGATIVE_INFINITY;
  }

  /** The browser has closed the connection by itself. */
  brokeDown(): void {
    // SQLite, which has no such log, says of a full disk that there is no room. It might have enough
    // for a deletion, and not for what would have to be written before.
    if (performance.now() - this.#fullAt > CLOSE_EVENT_MS) this.#set(true);
  }

  /** The log was renewed, or went with its database. */
  end(): void {
    this.#set(false);
  }

  #set(isThere: boolean): void {
    if (this.#isThere === isThere) return;
    this.#isThere = isThere;
    this.#listener(isThere);
  }
}
