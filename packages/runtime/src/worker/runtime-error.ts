import type { Quota, StoreErrorCode } from '@inpage-mcp/server/control-plane';

/**
 * Why the runtime failed.
 *
 * - `worker-failed`: the worker could not start, or died and cannot be replaced any more.
 * - `worker-restarted`: the worker died during the call and is being replaced. A write may or may
 *   not have been done: look before you repeat it.
 * - `closed`: the runtime was closed, before or during the call.
 * - the codes of the store, such as `conflict`, `not-found` and `quota-exceeded`. `failed` is also a part
 *   of the runtime that could not be loaded when it was first used.
 */
export type RuntimeErrorCode = 'worker-failed' | 'worker-restarted' | 'closed' | StoreErrorCode;

/** A failure of the worker or of what it was asked to do. Its message may be shown to the user. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  /** What happened, for programs. */
  readonly code: RuntimeErrorCode;
  /** Of `quota-exceeded`, where the browser says it. */
  readonly quota: Quota | undefined;
  /** What the developer of the page may have to mend, in words that say nothing to its visitors. */
  readonly hint: string | undefined;

  constructor(
    code: RuntimeErrorCode,
    message: string,
    options?: ErrorOptions & { quota?: Quota | undefined; hint?: string | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.quota = options?.quota;
    this.hint = options?.hint;
  }
}

/** What every call meets once the runtime is closed. */
export function closedError(): RuntimeError {
  return new RuntimeError('closed', 'The runtime is closed.');
}

/** What a call meets whose worker died. */
export function restartedError(): RuntimeError {
  const text =
    'The worker died during the call and is being replaced. A write may or may not have been done.';
  return new RuntimeError('worker-restarted', text);
}

/** Of a call that failed because its worker, or the runtime, is gone. */
const GONE: readonly RuntimeErrorCode[] = ['closed', 'worker-failed', 'worker-restarted'];

/** Whether a call failed because its worker is gone, and not for what it asked. */
export function isWorkerGone(error: unknown): boolean {
  return error instanceof RuntimeError && GONE.includes(error.code);
}

/**
 * What cannot be sent, such as a function, is the caller's mistake.
 *
 * @throws {RuntimeError} `invalid-argument`; any other error as it is.
 */
export function throwSendingError(error: unknown): never {
  if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
  const text = 'An argument holds a value that cannot be sent to the worker.';
  throw new RuntimeError('invalid-argument', text, { cause: error });
}

/** Whether a call failed only because its worker died, and the next one has not. */
export function isRestarted(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'worker-restarted';
}
