import type { Call } from '../calls/call.js';
import { internalError, ProtocolError, ToolError } from '../wire/errors.js';

/** The handling of errors of handlers. */
export interface ErrorPolicy {
  /** The text that a client may read about an error. Default: none. */
  describeError?(error: unknown): string | undefined;
  /** Called with an error whose text is not sent to the client. */
  onerror(error: unknown): void;
}

/**
 * The error that a client may see for an error of a handler. If the text is hidden, the error is reported to
 * `onerror`, except when the call is over, because its abort is then the reason why the handler failed.
 */
export function toProtocolError(error: unknown, call: Call, policy: ErrorPolicy): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const text = error instanceof ToolError ? error.message : policy.describeError?.(error);
  if (text !== undefined) return internalError(text);
  if (!call.isOver) policy.onerror(error);
  return internalError();
}
