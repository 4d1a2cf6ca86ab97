import type { OwnWorkerOptions, Runtime } from './runtime-types.js';
import { printHint } from './worker/runtime-error.js';
import { SupervisedRuntime } from './supervised-runtime.js';

/**
 * Starts a worker of the app, as `startRuntime` does with the default one.
 *
 * @throws {RuntimeError} `worker-failed` at once if the script cannot be loaded or throws, and if
 *   the worker does not answer within 15 seconds of its first line; `worker-outdated` if it is from
 *   another build than the page; or the store's code (`blocked`,
 *   `newer-version`, `unavailable`, `quota-exceeded`, `timeout`). Its `hint` is for the developer.
 */
export async function startWithWorker(options: OwnWorkerOptions): Promise<Runtime> {
  const { signal } = options;
  signal?.throwIfAborted();
  const runtime = new SupervisedRuntime(options);
  const abort = (): void => runtime.abort();
  // The listener is removed with the runtime, because an app's signal may live longer than many runtimes.
  signal?.addEventListener('abort', abort, { signal: runtime.ended });
  try {
    await runtime.waitForStart();
  } catch (error) {
    signal?.throwIfAborted();
    runtime.abort();
    printHint(error);
    throw error;
  }
  return runtime;
}
