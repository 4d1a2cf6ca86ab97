import type { Runtime, RuntimeOptions } from './runtime-types.js';
import { SupervisedRuntime } from './supervised-runtime.js';

/**
 * Starts the worker, opens the database, and resolves when both are ready. It takes as long as the
 * worker's script is on the way, and as an upgrade of the database makes progress: `onProgress` tells
 * which, and `signal` ends it.
 *
 * @throws {RuntimeError} `worker-failed` at once where the script cannot be loaded or throws, and where
 *   the worker does not answer within 15 seconds of its first line; or the store's code (`blocked`,
 *   `newer-version`, `unavailable`, `quota-exceeded`, `timeout`). What helps the developer alone is
 *   its `hint`.
 */
export async function startRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { signal } = options;
  signal?.throwIfAborted();
  const runtime = new SupervisedRuntime(options);
  const abort = (): void => runtime.abort();
  // An app's signal may outlive many runtimes.
  signal?.addEventListener('abort', abort, { signal: runtime.ended });
  try {
    await runtime.started();
  } catch (error) {
    signal?.throwIfAborted();
    runtime.abort();
    throw error;
  }
  return runtime;
}
