import { StoreError } from '@inpage-mcp/store';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';

/**
 * Every error that leaves the server is made here, so that none carries a stack, a cause or the
 * text of something else.
 */

/** What a legacy client (2025-11-25 and before) expects for a missing resource. */
const LEGACY_RESOURCE_NOT_FOUND = -32002;

/** The resource does not exist: −32602 with `data.uri`, and −32002 on a legacy port. */
export function notFoundError(uri: string): ProtocolError {
  return new ResourceNotFoundError(uri, 'Resource not found');
}

/** The cursor was not made by this server. */
export function badCursorError(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Invalid cursor: start again without one.',
  );
}

/** The resource exists and does not fit into a message. Sizes in bytes. */
export function tooLargeError(uri: string, size: number, limit: number): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The resource has ${size} bytes; at most ${limit} are sent inside a message.`,
    { uri, size, limit },
  );
}

/** Runs a request handler and lets only errors out that a client may see. */
export async function translateErrors<Value>(handler: () => Promise<Value>): Promise<Value> {
  try {
    return await handler();
  } catch (error) {
    throw toProtocolError(error);
  }
}

function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  // The store's own messages name only what the caller asked for.
  const text = error instanceof StoreError ? error.message : 'Internal error';
  return new ProtocolError(ProtocolErrorCode.InternalError, text);
}

/**
 * Gives a missing resource the code of the legacy revisions.
 *
 * The SDK sends −32602 to every client and turns a −32002 into it (seen in 2.4.0), but up to
 * 2025-11-25 the specification says −32002 (Resources › Error Handling). Drop this when the SDK's
 * legacy codec keeps the code.
 */
export function withLegacyErrorCode<Message extends object>(message: Message): Message {
  const error =
    'error' in message ? (message.error as { code?: unknown; data?: unknown }) : undefined;
  if (error?.code !== ProtocolErrorCode.InvalidParams || !namesOnlyUri(error.data)) return message;
  return { ...message, error: { ...error, code: LEGACY_RESOURCE_NOT_FOUND } };
}

/** The SDK's own mark of "resource not found": data that is exactly `{ uri }`. */
function namesOnlyUri(data: unknown): boolean {
  return (
    typeof data === 'object' && data !== null && Object.keys(data).length === 1 && 'uri' in data
  );
}
