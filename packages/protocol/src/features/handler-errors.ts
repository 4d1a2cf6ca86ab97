import type { Call } from '../calls/call.js';
import { internalError, ProtocolError, ToolError } from '../wire/errors.js';

/** What becomes of the errors that handlers throw. */
export interface ErrorPolicy {
  /** What a client may read of an error. Default: nothing. */
  describeError?(error: unknown): string | undefined;
  /** Called with an error of which the client learns nothing. */
  onerror(error: unknown): void;
}

/**
 * What a client may know of what a handler has thrown. The observer of the server learns of the rest,
 * unless nobody waits for the call any more: that is why it failed.
 */
export function toProtocolError(error: unknown, call: Call, policy: ErrorPolicy): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const text = error instanceof ToolError ? error.message : policy.describeError?.(error);
  if (text !== undefined) return internalError(text);
  if (!call.isOver) policy.onerror(error);
  return internalError();
}
