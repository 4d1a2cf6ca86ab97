/** The minimum interval between two fetches that changes cause, in milliseconds. */
const REFRESH_INTERVAL_MS = 250;

/**
 * Runs a task for any number of requests: at once, then at most every 250 ms, and once more after the last
 * request, so that the last state is included. It never runs twice at the same time, and a task that takes
 * longer than the interval is still completed.
 */
export class Throttle {
  readonly #run: () => Promise<unknown>;
  #isRequested = false;
  #isRunning = false;
  #startedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param run The task, which must not reject. */
  constructor(run: () => Promise<unknown>) {
    this.#run = run;
  }

  /** Requests a run that begins after this call. */
  request(): void {
    this.#isRequested = true;
    this.#schedule();
  }

  /** Drops the request; a run that has begun continues. */
  cancel(): void {
    this.#isRequested = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (!this.#isRequested || this.#isRunning || this.#timer !== undefined) return;
    const delayMs = this.#startedAt + REFRESH_INTERVAL_MS - performance.now();
    if (delayMs <= 0) return void this.#start();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#start();
    }, delayMs);
  }

  async #start(): Promise<void> {
    this.#isRequested = false;
    this.#isRunning = true;
    this.#startedAt = performance.now();
    await this.#run();
    this.#isRunning = false;
    this.#schedule();
  }
}
