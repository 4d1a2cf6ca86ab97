import { StoreError, type StoreErrorCode } from '../errors/store-error.js';

/** The delay after the last change, so that indexing does not compete with writes. */
const IDLE_MS = 1_000;

/** The number of changes from which on they no longer postpone the update, as during an import. */
const MANY_CHANGES = 256;
/** The minimum age of the first of these changes for this, in milliseconds. */
const MANY_AFTER_MS = 5_000;

/** The delay before a retry if another tab was updating the index: that tab may have crashed. */
const RETRY_MS = 30_000;

/** The shortest and the longest backoff after a failure; each failure doubles it. */
const MIN_BACKOFF_MS = 30_000;
const MAX_BACKOFF_MS = 3_600_000;

/** Errors that a retry cannot solve. */
const FINAL_CODES: readonly StoreErrorCode[] = ['closed', 'newer-version'];

/** Schedules updates of the search index: some time after a change. */
export class IndexSchedule {
  readonly #run: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #changes = 0;
  #firstChangeAt = 0;
  #isStopped = false;
  /** The backoff after the next failure. */
  #backoffMs = MIN_BACKOFF_MS;
  #backoffEndsAt = 0;

  /** @param run Updates the index; resolves with false if another tab is updating it. */
  constructor(run: () => Promise<boolean>) {
    this.#run = run;
  }

  /** @param count The number of notes that have changed. */
  addChanges(count: number): void {
    if (this.#changes === 0) this.#firstChangeAt = performance.now();
    this.#changes += count;
    const isLate = performance.now() - this.#firstChangeAt > MANY_AFTER_MS;
    if (this.#changes < MANY_CHANGES || !isLate) this.#startSoon();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #startSoon(): void {
    this.#startIn(Math.max(IDLE_MS, this.#backoffEndsAt - performance.now()));
  }

  #startIn(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), delayMs);
  }

  async #start(): Promise<void> {
    // The current run continues until nothing is left, and checks for new changes at its end.
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#changes = 0;
    try {
      const isDone = await this.#run();
      this.#backoffMs = MIN_BACKOFF_MS;
      if (!isDone) this.#startIn(RETRY_MS);
    } catch (error) {
      this.#handleFailure(error);
    }
    this.#isRunning = false;
    if (this.#changes > 0) this.#startSoon();
  }

  #handleFailure(error: unknown): void {
    if (this.#isStopped) return;
    const code = error instanceof StoreError ? error.code : undefined;
    if (!code) reportError(error);
    else if (FINAL_CODES.includes(code)) return this.stop();
    this.#backoffEndsAt = performance.now() + this.#backoffMs;
    // Only a change can free space, and a change schedules an update.
    if (code !== 'quota-exceeded') this.#startIn(this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
  }
}
