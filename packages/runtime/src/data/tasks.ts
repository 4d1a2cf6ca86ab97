import type { Control, Outcome, ProgressOfTask } from '@inpage-mcp/server/control-plane';
import { proxy, type ProxyMarked, type Remote } from 'comlink';
import { RuntimeError } from '../worker/runtime-error.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** The options of a long call. */
export interface TaskOptions {
  /**
   * Cancels the call: uncommitted work is undone, and the call rejects with `signal.reason`. If the
   * work is committed already, the call completes normally. Default: none.
   */
  signal?: AbortSignal | undefined;
  /** Receives the progress at intervals: `done` never decreases, and equals `total` at the end. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

let lastNumber = 0;

/** The number that identifies a call to the worker. */
export function newTaskNumber(): number {
  lastNumber += 1;
  return lastNumber;
}

/**
 * Runs a call of the control plane, which can be cancelled and reports its progress.
 *
 * @param method Whether the call may be repeated on the next worker: see the supervisor.
 * @param run Gets the number of the call if the call can be cancelled or reports progress.
 */
export async function runTask<Value>(
  supervisor: WorkerSupervisor,
  method: 'run' | 'runWithRetry',
  { signal, onProgress }: TaskOptions,
  run: (
    control: Remote<Control>,
    number: number | undefined,
    onProgress: (ProgressOfTask & ProxyMarked) | undefined,
  ) => Promise<Outcome<Value>>,
): Promise<Value> {
  signal?.throwIfAborted();
  const report = onProgress && reportIncreases(onProgress);
  return await supervisor[method](async (server) => {
    if (!signal && !report) return await server.call((control) => run(control, undefined, report));
    // The signal may have aborted while the worker started.
    signal?.throwIfAborted();
    const number = newTaskNumber();
    const cancel = (): void => {
      server.call((control) => control.cancelTask(number)).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel);
    try {
      return await server.call((control) => run(control, number, report && proxy(report)));
    } catch (error) {
      if (isCancelled(error)) signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  });
}

/** A listener that drops reports below the previous maximum: a repeated call starts from zero. */
function reportIncreases(onProgress: NonNullable<TaskOptions['onProgress']>): ProgressOfTask {
  let maximum = -1;
  return (done, total) => {
    if (done <= maximum) return;
    maximum = done;
    try {
      onProgress(done, total);
    } catch (error) {
      // The call continues after an error of the listener.
      reportError(error);
    }
  };
}

/** The worker's error for a cancelled call; the caller gets the reason of the signal instead. */
function isCancelled(error: unknown): boolean {
  return error instanceof RuntimeError && (error.code as string) === 'cancelled';
}
