import type { Control, Outcome, ProgressOfTask } from '@inpage-mcp/server/control-plane';
import { proxy, type ProxyMarked, type Remote } from 'comlink';
import { RuntimeError } from '../worker/runtime-error.js';
import type { WorkerSupervisor } from '../supervision/worker-supervisor.js';

/** What a long call may be told. */
export interface TaskOptions {
  /**
   * Aborting it undoes what is not done yet; the call then rejects with `signal.reason`. When it is
   * too late for that, the call goes on as if nothing had happened. Default: none.
   */
  signal?: AbortSignal | undefined;
  /** Hears now and then how much is done: never less than before, and all at the end. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

let lastNumber = 0;

/** What the worker knows a call by. */
export function newTaskNumber(): number {
  lastNumber += 1;
  return lastNumber;
}

/**
 * Runs a call of the control plane, which can be cancelled and reports its progress.
 *
 * @param times Whether it may be repeated on the next worker, when one dies: see the supervisor.
 * @param run Gets what the worker is to know the call by, where it may be cancelled or reports.
 */
export async function runTask<Value>(
  supervisor: WorkerSupervisor,
  times: 'once' | 'twice',
  { signal, onProgress }: TaskOptions,
  run: (
    control: Remote<Control>,
    number: number | undefined,
    onProgress: (ProgressOfTask & ProxyMarked) | undefined,
  ) => Promise<Outcome<Value>>,
): Promise<Value> {
  signal?.throwIfAborted();
  const report = onProgress && increasing(onProgress);
  return await supervisor[times](async (server) => {
    if (!signal && !report) return await server.call((control) => run(control, undefined, report));
    // It may have been aborted while the worker started.
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

/** A call that is repeated begins anew: what was told before is not taken back. */
function increasing(onProgress: NonNullable<TaskOptions['onProgress']>): ProgressOfTask {
  let most = -1;
  return (done, total) => {
    if (done <= most) return;
    most = done;
    try {
      onProgress(done, total);
    } catch (error) {
      // The call goes on.
      reportError(error);
    }
  };
}

/** What the worker says of it; the caller gets the reason of the signal instead. */
function isCancelled(error: unknown): boolean {
  return error instanceof RuntimeError && (error.code as string) === 'cancelled';
}
