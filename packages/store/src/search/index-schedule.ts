import { StoreError, type StoreErrorCode } from '../errors/store-error.js';

/** How long there must have been no change: who writes is not to be kept waiting. */
const IDLE_MS = 1_000;

/** So many changes do not wait for ever, as while a lot is imported. */
const MANY_CHANGES = 256;
const MANY_AFTER_MS = 5_000;

/** When to look again when another tab was at it, which may have died of it. */
const AGAIN_MS = 30_000;

/** The shortest and the longest pause after it failed; each is twice as long as the one before. */
const MIN_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

/** What no later attempt can get over. */
const FINAL: readonly StoreErrorCode[] = ['closed', 'newer-version'];

/** Says when the search index is brought up to date: some time after a change. */
export class IndexSchedule {
  readonly #run: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #changes = 0;
  #firstChangeAt = 0;
  #isStopped = false;
  /** The pause that the next failure makes. */
  #pauseMs = MIN_PAUSE_MS;
  /** When the pause after the last failure is over. */
  #pauseEndsAt = 0;

  /** @param run Brings it up to date; resolves with false where another tab is at it. */
  constructor(run: () => Promise<boolean>) {
    this.#run = run;
  }

  /** So many entries have changed. */
  changed(count: number): void {
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
    this.#startIn(Math.max(IDLE_MS, this.#pauseEndsAt - performance.now()));
  }

  #startIn(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), delayMs);
  }

  async #start(): Promise<void> {
    // It goes on until nothing is left, and looks once more at its end.
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#changes = 0;
    try {
      const isDone = await this.#run();
      this.#pauseMs = MIN_PAUSE_MS;
      if (!isDone) this.#startIn(AGAIN_MS);
    } catch (error) {
      this.#failed(error);
    }
    this.#isRunning = false;
    if (this.#changes > 0) this.#startSoon();
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    const code = error instanceof StoreError ? error.code : undefined;
    if (!code) reportError(error);
    else if (FINAL.includes(code)) return this.stop();
    this.#pauseEndsAt = performance.now() + this.#pauseMs;
    // Only a change can make room; it says so.
    if (code !== 'quota-exceeded') this.#startIn(this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }
}
