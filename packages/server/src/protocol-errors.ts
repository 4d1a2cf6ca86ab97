import { StoreError } from '@inpage-mcp/store';
import {
  TransportError,
  type JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
} from '@inpage-mcp/transport';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { BLOB_EXTENSION, RANGE_META_KEY } from './binary-extension.js';

/**
 * The errors that leave the server: none carries a stack, a cause or the text of something else.
 */

const INVALID_PARAMS: number = ProtocolErrorCode.InvalidParams;
const INTERNAL_ERROR: number = ProtocolErrorCode.InternalError;
const UNSUPPORTED_VERSION: number = ProtocolErrorCode.UnsupportedProtocolVersion;

/** What a legacy client (2025-11-25 and before) expects for a missing resource. */
const LEGACY_RESOURCE_NOT_FOUND = -32002;

/** A message may name what a client sent; no more of it than one can read. */
const MAX_MESSAGE_LENGTH = 500;

/** A finding names keys that the client chose; no more of them than one can read. */
const MAX_FINDING_LENGTH = 200;

/** A revision is a date; of what is none as much is repeated as tells what it was. */
const MAX_REVISION_LENGTH = 100;

/** What the SDK says of a call and of a result that do not fit, before the dump of its findings. */
const BAD_CALL = 'Invalid tools/call request: ';
const BAD_RESULT = 'Invalid tools/call result: ';

/** What a tool throws to say something to the model: its message becomes a result with `isError`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The resource does not exist: −32602 with `data.uri`, and −32002 on a legacy port. */
export function notFoundError(uri: string): ProtocolError {
  return new ResourceNotFoundError(uri, 'Resource not found');
}

/** Whether the store has nothing under this name, or cannot have anything. */
export function isAbsence(error: unknown): boolean {
  const codes: readonly string[] = ['not-found', 'invalid-argument'];
  return error instanceof StoreError && codes.includes(error.code);
}

/** The uri is longer than any that can be: −32602, without repeating it. */
export function longUriError(limit: number): ProtocolError {
  return invalidParams(`Invalid params: uri: longer than ${limit} characters`);
}

/** A connection listens to as many uris as it may: −32602. */
export function tooManySubscriptionsError(limit: number): ProtocolError {
  const text = `A connection subscribes to at most ${limit} uris: end some first.`;
  const data = { limit: 'subscriptions', maximum: limit };
  return new ProtocolError(ProtocolErrorCode.InvalidParams, text, data);
}

/** A call took longer than it may, in milliseconds: −32603. */
export function timeoutError(timeoutMs: number): ProtocolError {
  const text = `This took longer than ${timeoutMs / 1000} s, and was ended.`;
  const data = { limit: 'timeoutMs', maximum: timeoutMs };
  return new ProtocolError(ProtocolErrorCode.InternalError, text, data);
}

/** Not a request of JSON-RPC: −32600. */
export function invalidRequestError(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, 'This is no JSON-RPC request.');
}

/** What a request asks for does not exist or does not fit: −32602 with a message of our own. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** What a connection may do was changed while a request was under way: −32603. */
export function accessChangedError(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    'The access of this connection has changed meanwhile. Look before you try again: what was ' +
      'asked for may or may not have been done.',
  );
}

/** There is no template of this spelling: −32602. */
export function noSuchTemplateError(): ProtocolError {
  return invalidParams('There is no such resource template.');
}

/** The cursor was not made by this server. */
export function badCursorError(): ProtocolError {
  return invalidParams('Invalid cursor: start again without one.');
}

/** The resource exists and does not fit into a message. Sizes in bytes. */
export function tooLargeError(uri: string, size: number, limit: number): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The resource has ${size} bytes; at most ${limit} are sent inside a message. resources/read ` +
      `gives it in ranges (${RANGE_META_KEY} in _meta), or as a Blob to a client with the ` +
      `extension ${BLOB_EXTENSION}.`,
    { uri, size, limit },
  );
}

/** Whoever ended a call knows why it failed: nobody else is told. */
export function unlessAborted(
  signal: AbortSignal,
  onerror: (error: unknown) => void,
): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) onerror(error);
  };
}

/** Runs a request handler and lets only errors out that a client may see. */
export async function translateErrors<Value>(
  handler: () => Value | Promise<Value>,
  onerror: (error: unknown) => void,
): Promise<Value> {
  try {
    return await handler();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, textOf(error, onerror));
  }
}

/** What a model is told of a tool that failed (Tools › Error Handling). */
export function toolErrorText(error: unknown, onerror: (error: unknown) => void): string {
  return error instanceof ToolError ? error.message : textOf(error, onerror);
}

/** A text that names what a client sent, as much of it as one can read. */
export function cutText(text: string, maxLength = MAX_MESSAGE_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** What a client may know of an error; whoever runs the server hears of the rest. */
function textOf(error: unknown, onerror: (error: unknown) => void): string {
  // The store's own messages name only what the caller asked for.
  if (error instanceof StoreError) return error.message;
  onerror(error);
  return 'Internal error';
}

/**
 * The answer to send in place of one that no port can carry, such as a tool's result that holds a
 * function, or that could not be put into words: whoever asked is told, rather than left waiting.
 */
export function unsendableAnswer(
  message: JsonRpcMessage,
  error: unknown,
): JsonRpcError | undefined {
  const isAnswer = 'result' in message || 'error' in message;
  const isOver = error instanceof TransportError && error.code !== 'not-cloneable';
  if (!isAnswer || isOver) return undefined;
  return internalErrorAnswer(message.id);
}

/** −32603, with nothing about why. */
export function internalErrorAnswer(id: RequestId | undefined): JsonRpcError {
  const error = { code: ProtocolErrorCode.InternalError, message: 'Internal error' };
  return { jsonrpc: '2.0', id, error };
}

/**
 * Brings an answer of the SDK (seen in 2.4.0) in line with the specification; docs/decisions/0003-sdk-answers-put-right.md.
 *
 * - A missing resource is −32002 up to 2025-11-25 (Resources › Error Handling); the SDK sends
 *   −32602 to every client and turns a −32002 into it.
 * - Params that do not fit a method's schema are −32602 (JSON-RPC 2.0); the SDK sends −32603, or for
 *   `tools/call` −32602, with a dump of its schema library's findings.
 * - A result of a tool that does not fit is no fault of the caller: −32603.
 * - What names something that the client sent repeats it at its full length.
 *
 * Drop each part when the SDK does it by itself.
 */
export function asSpecified(
  message: JsonRpcMessage,
  era: 'legacy' | 'modern' | undefined,
  method: string | undefined,
): JsonRpcMessage {
  if (!('error' in message)) return message;
  const error = withoutEcho(message.error);
  if (era === 'legacy' && method === 'resources/read' && isResourceNotFound(error)) {
    return { ...message, error: { ...error, code: LEGACY_RESOURCE_NOT_FOUND } };
  }
  return { ...message, error: schemaError(message.error) ?? error };
}

function withoutEcho(error: JsonRpcError['error']): JsonRpcError['error'] {
  const cut = { ...error, message: cutText(error.message) };
  const { requested, ...data } = (error.data ?? {}) as { requested?: unknown };
  if (error.code !== UNSUPPORTED_VERSION || typeof requested !== 'string') return cut;
  return { ...cut, data: { ...data, requested: cutText(requested, MAX_REVISION_LENGTH) } };
}

/** The SDK's own mark of "resource not found": data that is exactly `{ uri }`. */
function isResourceNotFound({ code, data }: JsonRpcError['error']): boolean {
  return (
    code === INVALID_PARAMS &&
    typeof data === 'object' &&
    data !== null &&
    Object.keys(data).length === 1 &&
    'uri' in data
  );
}

/** The error in words, in the place of one with a dump of what a schema has found. */
function schemaError({ code, message }: JsonRpcError['error']): JsonRpcError['error'] | undefined {
  if (message.startsWith(BAD_RESULT)) {
    const finding = findingIn(message.slice(BAD_RESULT.length));
    if (finding === undefined) return undefined;
    return { code: INTERNAL_ERROR, message: `Invalid result of the tool: ${finding}` };
  }
  if (code !== INTERNAL_ERROR && !message.startsWith(BAD_CALL)) return undefined;
  const finding = findingIn(
    message.startsWith(BAD_CALL) ? message.slice(BAD_CALL.length) : message,
  );
  if (finding === undefined) return undefined;
  return { code: INVALID_PARAMS, message: `Invalid params: ${finding}` };
}

/** The first finding of a dump, in a sentence. */
function findingIn(dump: string): string | undefined {
  if (!dump.startsWith('[')) return undefined;
  try {
    const [first] = JSON.parse(dump) as [{ path: unknown[]; message: string }];
    const path = first.path.filter((key, index) => index > 0 || key !== 'params').join('.');
    // A record is what the library calls an object.
    const found = first.message.replace('expected record', 'expected object');
    return `${path}: ${found}`.slice(0, MAX_FINDING_LENGTH);
  } catch {
    return undefined;
  }
}
