/**
 * The reason why a call failed on this side.
 *
 * - `closed`: the connection has ended for good, before the answer.
 * - `connection-lost`: the connection was lost before the answer, and the client reconnects. The
 *   server may or may not have executed a write.
 * - `timeout`: no answer in time; the client has sent a cancellation to the server.
 * - `unsupported`: the server does not support this (another protocol revision, no subscriptions).
 * - `refused`: the host of an MCP App, or its user, does not want it.
 * - `invalid-result`: the answer does not have the shape that the specification requires.
 * - `endless-list`: the pages of a list repeat, stay empty, or are too many.
 */
export type ClientErrorCode =
  | 'closed'
  | 'connection-lost'
  | 'timeout'
  | 'unsupported'
  | 'refused'
  | 'invalid-result'
  | 'endless-list';

/** A failure of the connection, or a violation of the protocol by the server. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** The reason of the failure, for programs. */
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The error of every call after the connection has ended.
 *
 * @param cause The reason why the connection ended, if `close()` was not called.
 */
export function closedError(cause?: unknown): ClientError {
  const message = 'The connection to the MCP server is closed.';
  return new ClientError('closed', message, cause === undefined ? {} : { cause });
}

/** The error of a pending request that is not sent again after a connection loss. */
export function lostError(method: string): ClientError {
  const message = `The connection was lost before the answer to ${method}; a write may have been executed.`;
  return new ClientError('connection-lost', message);
}

/** The server rejected the request, with a JSON-RPC error. */
export class McpError extends Error {
  override readonly name = 'McpError';
  /** The JSON-RPC code, for example −32602 for a missing resource. */
  readonly code: number;
  /** Additional data from the server. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
