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

  /** Runs a call; when it is cancelled, it rejects with the code `cancelled`. */
  async run<Value>(
    task: number,
    onProgress: ProgressOfTask | undefined,
    call: (options: TaskOptions) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    this.#underWay.set(task, controller);
    const report = reporting(onProgress);
    try {
      return await call({ signal: controller.signal, onProgress: report });
    } finally {
      this.#underWay.delete(task);
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

/** Now and then is enough; the end is always told. */
function reporting(onProgress: ProgressOfTask | undefined): TaskOptions['onProgress'] {
  let lastTime = 0;
  return (done, total) => {
    const now = performance.now();
    if (!onProgress || (done < total && now - lastTime < PROGRESS_INTERVAL_MS)) return;
    lastTime = now;
    void Promise.resolve(onProgress(done, total)).catch(() => undefined);
  };
}

/** Lets go of the port behind a function of the page. */
function release(onProgress: ProgressOfTask | undefined): void {
  if (onProgress && releaseProxy in onProgress) {
    (onProgress as unknown as { [releaseProxy](): void })[releaseProxy]();
  }
}
