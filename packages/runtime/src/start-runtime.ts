import { createDefaultWorker } from './default-worker.js';
import type { Runtime, RuntimeOptions } from './runtime-types.js';
import { startWithWorker } from './start-with-worker.js';

/**
 * Starts the worker, opens the database, and resolves when both are ready. There is no time limit
 * while the worker's script is loading, or an upgrade of the database makes progress: `onProgress`
 * reports the state, and `signal` cancels the start.
 *
 * @throws {RuntimeError} `worker-failed` at once if the script cannot be loaded or throws, and if
 *   the worker does not answer within 15 seconds of its first line; `worker-outdated` if it is from
 *   another build than the page; or the store's code (`blocked`,
 *   `newer-version`, `unavailable`, `quota-exceeded`, `timeout`). Its `hint` is for the developer.
 */
export async function startRuntime({
  worker = createDefaultWorker,
  ...options
}: RuntimeOptions = {}): Promise<Runtime> {
  return startWithWorker({ worker, ...options });
}
