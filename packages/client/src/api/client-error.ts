/**
 * Why a call failed on this side.
 *
 * - `closed`: the connection has ended for good before the answer.
 * - `connection-lost`: the connection was lost before the answer, and the client opens another; a
 *   write may or may not have been done.
 * - `timeout`: no answer within the time; the server was told to stop.
 * - `unsupported`: the server cannot do this (another protocol revision, no subscriptions).
 * - `invalid-result`: the answer does not have the shape that the specification gives it.
 * - `endless-list`: the pages of a list go round in circles, or stay empty.
 */
export type ClientErrorCode =
  'closed' | 'connection-lost' | 'timeout' | 'unsupported' | 'invalid-result' | 'endless-list';

/** A failure of the connection or of the peer's manners. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** What happened, for programs. */
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What every call meets once the connection has ended.
 *
 * @param cause Why it ended, where that was not asked for.
 */
export function closedError(cause?: unknown): ClientError {
  const message = 'The connection to the MCP server is closed.';
  return new ClientError('closed', message, cause === undefined ? {} : { cause });
}

/** What a request meets that was under way and is not sent again. */
export function lostError(method: string): ClientError {
  const message = `The connection was lost before the answer to ${method}; a write may have been done.`;
  return new ClientError('connection-lost', message);
}

/** The server's own answer that it will not or cannot: a JSON-RPC error. */
export class McpError extends Error {
  override readonly name = 'McpError';
  /** The JSON-RPC code, such as −32602 for a missing resource. */
  readonly code: number;
  /** Whatever the server added. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
