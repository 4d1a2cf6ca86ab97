import { releaseRemote } from '../resources/release-remote.js';
import type { ProgressOfTask } from './control-plane.js';

/** The minimum time between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 50;

/** The options of a store operation that the control plane adds. */
export interface TaskOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Long calls of the page, which can be cancelled and report their progress. */
export class PageTasks {
  readonly #underWay = new Map<number, AbortController>();

  /**
   * Runs a call; if it is cancelled, it rejects with the code `cancelled`. It settles after the page has
   * acknowledged the last report: otherwise, the order of the last report and the result would not be
   * guaranteed, because reports use a separate port.
   */
  async run<Value>(
    task: number,
    onProgress: ProgressOfTask | undefined,
    call: (options: TaskOptions) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    this.#underWay.set(task, controller);
    const reports = new ProgressReporter(onProgress);
    try {
      return await call({
        signal: controller.signal,
        onProgress: (done, total) => reports.add(done, total),
      });
    } finally {
      this.#underWay.delete(task);
      await reports.acknowledged;
      releaseRemote(onProgress);
    }
  }

  /** Cancels a call. Does nothing if it has ended. */
  cancel(task: number): void {
    this.#underWay.get(task)?.abort(new CancelledError());
  }
}

/** The page has cancelled the call. */
export class CancelledError extends Error {
  readonly code = 'cancelled';

  constructor() {
    super('The call was cancelled.');
  }
}

/** Reports progress to the page, at intervals; the end is always reported. */
class ProgressReporter {
  readonly #onProgress: ProgressOfTask | undefined;
  #lastTime = 0;
  #acknowledged: Promise<void> = Promise.resolve();

  constructor(onProgress: ProgressOfTask | undefined) {
    this.#onProgress = onProgress;
  }

  /** Resolves when the page has acknowledged all reports so far. */
  get acknowledged(): Promise<void> {
    return this.#acknowledged;
  }

  /** Sends a report. Rejects also if the task has ended, and its port is closed. */
  async #send(done: number, total: number): Promise<void> {
    await this.#onProgress?.(done, total);
  }

  add(done: number, total: number): void {
    const now = performance.now();
    const isSoon = now - this.#lastTime < PROGRESS_INTERVAL_MS;
    if (!this.#onProgress || (done < total && isSoon)) return;
    this.#lastTime = now;
    // The page acknowledges reports in order, so the last one is enough.
    this.#acknowledged = this.#send(done, total).catch(() => undefined);
  }
}
