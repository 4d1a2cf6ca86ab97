import type { Quota, StoreErrorCode } from '@inpage-mcp/server/control-plane';
import { plainCopy } from '@inpage-mcp/transport/ports';

/**
 * The reason why the runtime failed.
 *
 * - `worker-failed`: the worker could not start, or died and cannot be replaced.
 * - `worker-outdated`: the app was deployed again, so that the worker's file is from another build of these
 *   packages than the page, or no longer exists. Ask the user to reload the page.
 * - `worker-restarted`: the worker died during the call and is being replaced. A write may or may
 *   not have been carried out: check before you repeat it.
 * - `closed`: the runtime was closed, before or during the call.
 * - of `serveDesktop` only: `no-bridge`, if no bridge answers, or the browser does not let the page
 *   connect; `wrong-bridge`, if its proof is wrong; `not-paired`, if the bridge does not know the
 *   page; `busy`, if it pairs with another page, or was refused too often; `refused`, if the user or
 *   the bridge refuses the pairing.
 * - of `mountFolder` only: `permission`, if the user has not allowed the page to read the folder, or to
 *   write to it.
 * - the codes of the store, such as `conflict`, `not-found` and `quota-exceeded`. `failed` also means that a
 *   part of the runtime could not be loaded on its first use, and `newer-version` that it no longer exists.
 */
export type RuntimeErrorCode =
  | 'worker-failed'
  | 'worker-outdated'
  | 'worker-restarted'
  | 'closed'
  | 'no-bridge'
  | 'wrong-bridge'
  | 'not-paired'
  | 'busy'
  | 'refused'
  | 'permission'
  | StoreErrorCode;

/** A failure of the worker or of a call. Its message may be shown to the user. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  /** The kind of failure, for programs. */
  readonly code: RuntimeErrorCode;
  /** The quota with `quota-exceeded`, if the browser reports it. */
  readonly quota: Quota | undefined;
  /** A hint for the developer of the page; not meant for its users. */
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

/** Prints the hint of an error, because the browser prints only the message of an uncaught error. */
export function printHint(error: unknown): void {
  if (error instanceof RuntimeError && error.hint) console.warn(`inpage-mcp: ${error.hint}`);
}

/** The error of every call after the runtime was closed. */
export function closedError(): RuntimeError {
  return new RuntimeError('closed', 'The runtime is closed.');
}

/** The error of a call whose worker died. */
export function restartedError(): RuntimeError {
  const text =
    'The worker died during the call and is being replaced. A write may or may not have been carried out.';
  return new RuntimeError('worker-restarted', text);
}

/** The codes of calls that failed because the worker or the runtime has ended. */
const GONE: readonly RuntimeErrorCode[] = [
  'closed',
  'worker-failed',
  'worker-outdated',
  'worker-restarted',
];

/** Whether a call failed because its worker has ended, and not because of the call itself. */
export function isWorkerGone(error: unknown): boolean {
  return error instanceof RuntimeError && GONE.includes(error.code);
}

/**
 * A copy of a value from the app. The same copy is sent to the next worker, even if the app has changed the
 * value by then.
 *
 * @throws {RuntimeError} `invalid-argument` if the value cannot be sent to a worker.
 */
export function snapshotOf<Value>(value: Value): Value {
  try {
    return structuredClone(plainCopy(value));
  } catch (error) {
    return throwSendingError(error);
  }
}

/**
 * Throws an error for a value that cannot be sent, such as a function.
 *
 * @throws {RuntimeError} `invalid-argument` for such a value; any other error unchanged.
 */
export function throwSendingError(error: unknown): never {
  if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
  const text = `An argument contains a value that cannot be sent to the worker: ${error.message}`;
  throw new RuntimeError('invalid-argument', text, { cause: error });
}

/** Whether a call failed because its worker died and is being replaced. */
export function isRestarted(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'worker-restarted';
}
