import type { StoreErrorCode } from '@inpage-mcp/server/control-plane';

/**
 * Why the runtime failed.
 *
 * - `worker-failed`: the worker could not start, or died.
 * - `closed`: the runtime was closed, before or during the call.
 * - the codes of the store, such as `conflict`, `not-found` and `quota-exceeded`.
 */
export type RuntimeErrorCode = 'worker-failed' | 'closed' | StoreErrorCode;

/** A failure of the worker or of what it was asked to do. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  /** What happened, for programs. */
  readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
