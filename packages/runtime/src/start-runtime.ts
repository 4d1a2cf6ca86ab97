import type { Runtime, RuntimeOptions } from './runtime-types.js';
import { SupervisedRuntime } from './supervised-runtime.js';

/**
 * Starts the worker, opens the database, and resolves when both are ready.
 *
 * @throws {RuntimeError} `worker-failed` within 5 seconds, naming the likely cause; or the store's
 *   code (`blocked`, `newer-version`, `unavailable`).
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
