/**
 * The messages of a port: one JSON-RPC 2.0 message by structured clone, or the end of the stream.
 *
 * The shapes follow the MCP specification, "Base Protocol › Messages": ids are strings or integers,
 * `params` and `result` are objects. This module does not depend on any method.
 */

/** A JSON-RPC request id (MCP: a string or an integer, never `null`). */
export type RequestId = string | number;

/** A request: it has an `id` and is answered exactly once. */
export interface JsonRpcRequest {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0';
  /** The id, which is unique among the open requests of the sender. */
  id: RequestId;
  /** The name of the method, such as `resources/read`. */
  method: string;
  /** The arguments of the method. Default: none. */
  params?: { [key: string]: unknown } | undefined;
}

/** A notification: no `id`, never answered. */
export interface JsonRpcNotification {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0';
  /** The type of the notification, such as `notifications/progress`. */
  method: string;
  /** The content. Default: none. */
  params?: { [key: string]: unknown } | undefined;
}

/** The successful answer to the request of the same `id`. */
export interface JsonRpcResult {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0';
  /** The id of the request. */
  id: RequestId;
  /** The result of the method. */
  result: { [key: string]: unknown };
}

/** The failed answer. `id` is absent if the peer could not read the id of the request. */
export interface JsonRpcError {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0';
  /** The id of the request. */
  id?: RequestId | undefined;
  /** The reason of the failure: a JSON-RPC code, a text for people, and any further data. */
  error: { code: number; message: string; data?: unknown };
}

/** Any message of a port, except the end of the stream. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcError;

/** The end of the stream, posted by the side that closes, because a port has no `close` event. */
export const END_OF_STREAM = null;

/**
 * Whether a value received on a port has the shape of a JSON-RPC message.
 *
 * Only the envelope is checked, in constant time: `params` and `result` stay unread.
 */
export function isJsonRpcMessage(value: unknown): value is JsonRpcMessage {
  if (!isObject(value) || own(value, 'jsonrpc') !== '2.0') return false;
  const hasResult = Object.hasOwn(value, 'result');
  const hasError = Object.hasOwn(value, 'error');
  if (Object.hasOwn(value, 'method')) {
    return !hasResult && !hasError && isRequestOrNotification(value);
  }
  if (hasResult === hasError) return false;
  return hasResult
    ? isRequestId(own(value, 'id')) && isObject(own(value, 'result'))
    : isOptionalId(own(value, 'id')) && isErrorObject(own(value, 'error'));
}

function isRequestOrNotification(value: object): boolean {
  const params = own(value, 'params');
  return (
    typeof own(value, 'method') === 'string' &&
    isOptionalId(own(value, 'id')) &&
    (params === undefined || isObject(params))
  );
}

function isErrorObject(value: unknown): boolean {
  return (
    isObject(value) &&
    Number.isSafeInteger(own(value, 'code')) &&
    typeof own(value, 'message') === 'string'
  );
}

function isOptionalId(value: unknown): boolean {
  return value === undefined || isRequestId(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An own property of an object; inherited ones do not count. Structured clone keeps an own `__proto__` key.
 */
function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as { [key: string]: unknown })[key] : undefined;
}
