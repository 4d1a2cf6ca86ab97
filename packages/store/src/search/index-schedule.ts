import { StoreError } from '../store-error.js';

/** How long there must have been no change: who writes is not to be kept waiting. */
const IDLE_MS = 1_000;

/** So many changes do not wait for ever, as while a lot is imported. */
const MANY_CHANGES = 256;
const MANY_AFTER_MS = 5_000;

/** When to look again after it failed, or when another tab was at it, which may have died of it. */
const AGAIN_MS = 30_000;

/** Says when the search index is brought up to date: some time after a change. */
export class IndexSchedule {
  readonly #run: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #changes = 0;
  #firstChangeAt = 0;
  #isStopped = false;

  /** @param run Brings it up to date; resolves with false where another tab is at it. */
  constructor(run: () => Promise<boolean>) {
    this.#run = run;
  }

  /** So many entries have changed. */
  changed(count: number): void {
    if (this.#changes === 0) this.#firstChangeAt = performance.now();
    this.#changes += count;
    const isLate = performance.now() - this.#firstChangeAt > MANY_AFTER_MS;
    if (this.#changes < MANY_CHANGES || !isLate) this.#startIn(IDLE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
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
    const isDone = await this.#run().catch((error: unknown) => {
      if (!this.#isStopped && !(error instanceof StoreError)) reportError(error);
      return false;
    });
    this.#isRunning = false;
    if (this.#changes > 0) this.#startIn(IDLE_MS);
    else if (!isDone) this.#startIn(AGAIN_MS);
  }
}
