import { releaseProxy } from 'comlink';
import type { ProgressOfTask } from './control-plane.js';

/** The shortest time between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 50;

/** What a call of the store may be told besides its arguments. */
interface TaskOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Long calls of the page, which can be cancelled and tell of their progress. */
export class PageTasks {
  readonly #underWay = new Map<number, AbortController>();

  /**
   * Runs a call; when it is cancelled, it rejects with the code `cancelled`. It settles after the page
   * has taken the last report, which comes on a port of its own: nothing orders the two.
   */
  async run<Value>(
    task: number,
    onProgress: ProgressOfTask | undefined,
    call: (options: TaskOptions) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    this.#underWay.set(task, controller);
    const reports = new Reports(onProgress);
    try {
      return await call({
        signal: controller.signal,
        onProgress: (done, total) => reports.add(done, total),
      });
    } finally {
      this.#underWay.delete(task);
      await reports.taken;
      release(onProgress);
    }
  }

  /** Cancels a call. One that has ended is left alone. */
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

/** Reports to the page. Now and then is enough; the end is always reported. */
class Reports {
  readonly #onProgress: ProgressOfTask | undefined;
  #lastTime = 0;
  #taken: Promise<void> = Promise.resolve();

  constructor(onProgress: ProgressOfTask | undefined) {
    this.#onProgress = onProgress;
  }

  /** Resolves once the page has taken what was reported so far. */
  get taken(): Promise<void> {
    return this.#taken;
  }

  add(done: number, total: number): void {
    const now = performance.now();
    const isSoon = now - this.#lastTime < PROGRESS_INTERVAL_MS;
    if (!this.#onProgress || (done < total && isSoon)) return;
    this.#lastTime = now;
    // In their order: the last one is taken last.
    this.#taken = Promise.resolve(this.#onProgress(done, total)).catch(() => undefined);
  }
}

/** Lets go of the port behind a function of the page. */
function release(onProgress: ProgressOfTask | undefined): void {
  if (onProgress && releaseProxy in onProgress) {
    (onProgress as unknown as { [releaseProxy](): void })[releaseProxy]();
  }
}
