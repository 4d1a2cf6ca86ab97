import { ClientError, closedError, McpError, type ClientErrorCode } from '../api/client-error.js';
import { timeoutError } from '../connection/pending-waits.js';

/** The code of version 1 of the SDK for a timeout, with the `timeout` in the error's data. */
const REQUEST_TIMEOUT = -32001;

/** The codes of a missing resource in the legacy and in the modern era. */
const LEGACY_NOT_FOUND = -32002;
const NOT_FOUND = -32602;

/** The prefix of an error's message, which version 1 of the SDK adds on both sides. */
const PREFIX = /^(MCP error -?\d+: )+/;

/** The codes of version 2 of the SDK for errors on the side of the client. */
const CODES = new Map<unknown, ClientErrorCode>([
  ['INVALID_RESULT', 'invalid-result'],
  ['UNSUPPORTED_RESULT_TYPE', 'unsupported'],
  ['CAPABILITY_NOT_SUPPORTED', 'unsupported'],
  ['METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION', 'unsupported'],
  ['INPUT_REQUIRED_ROUNDS_EXCEEDED', 'unsupported'],
]);

/** The fields of the SDK's errors; an error of a transport has others. */
interface SdkError {
  code?: unknown;
  message?: unknown;
  data?: { timeout?: unknown } | null | undefined;
}

/**
 * The error of this package for an error of the SDK. An error that is not an answer of the server counts as
 * `connection-lost`, because the next request may succeed, as with an HTTP transport that was offline.
 */
export function translateError(
  error: unknown,
  method: string,
  timeoutMs: number,
): McpError | ClientError {
  if (error instanceof McpError || error instanceof ClientError) return error;
  const { code, message, data } = (error ?? {}) as SdkError;
  const text = String(message ?? error);
  const isTimeout = code === REQUEST_TIMEOUT && data?.timeout !== undefined;
  if (isTimeout || code === 'REQUEST_TIMEOUT')
    return timeoutError(`The server did not answer ${method}`, timeoutMs);
  // An error of a transport may have an HTTP status as its `code`, but has no `data`.
  if (typeof code === 'number' && 'data' in (error as object))
    return new McpError(
      code === LEGACY_NOT_FOUND ? NOT_FOUND : code,
      text.replace(PREFIX, ''),
      data,
    );
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED') return closedError(error);
  const why = `${method} failed: ${text}`;
  return new ClientError(CODES.get(code) ?? 'connection-lost', why, { cause: error });
}
