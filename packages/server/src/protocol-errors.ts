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

/** A finding names keys that the client chose; no more of them than one can read. */
const MAX_FINDING_LENGTH = 200;

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

/** What of a message is looked at on its way out. */
interface ErrorParts {
  code?: unknown;
  message?: unknown;
  data?: unknown;
}

/**
 * Brings an answer of the SDK (seen in 2.4.0) in line with the specification; docs/decisions/0003-sdk-answers-put-right.md.
 *
 * - A missing resource is −32002 up to 2025-11-25 (Resources › Error Handling); the SDK sends
 *   −32602 to every client and turns a −32002 into it.
 * - Params that do not fit a method's schema are −32602 (JSON-RPC 2.0); the SDK sends −32603 with
 *   a dump of its schema library's findings.
 *
 * Drop either part when the SDK does it by itself.
 */
export function asSpecified<Message extends object>(
  message: Message,
  era: 'legacy' | 'modern' | undefined,
): Message {
  if (!('error' in message)) return message;
  const error = message.error as ErrorParts;
  if (era === 'legacy' && isResourceNotFound(error)) {
    return { ...message, error: { ...error, code: LEGACY_RESOURCE_NOT_FOUND } };
  }
  const finding = schemaFinding(error);
  if (finding === undefined) return message;
  const code = ProtocolErrorCode.InvalidParams;
  return { ...message, error: { code, message: `Invalid params: ${finding}` } };
}

/** The SDK's own mark of "resource not found": data that is exactly `{ uri }`. */
function isResourceNotFound({ code, data }: ErrorParts): boolean {
  return (
    code === ProtocolErrorCode.InvalidParams &&
    typeof data === 'object' &&
    data !== null &&
    Object.keys(data).length === 1 &&
    'uri' in data
  );
}

/** The first finding of a schema that a request failed, in a sentence. */
function schemaFinding({ code, message }: ErrorParts): string | undefined {
  if (code !== ProtocolErrorCode.InternalError || typeof message !== 'string') return undefined;
  if (!message.startsWith('[')) return undefined;
  try {
    const [first] = JSON.parse(message) as [{ path: unknown[]; message: string }];
    const path = first.path.slice(1).join('.');
    return `${path}: ${first.message}`.slice(0, MAX_FINDING_LENGTH);
  } catch {
    return undefined;
  }
}
