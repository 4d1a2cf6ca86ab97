/**
 * Why a call failed on this side.
 *
 * - `closed`: the connection ended before the answer.
 * - `timeout`: no answer within the time; the server was told to stop.
 * - `unsupported`: the server cannot do this (another protocol revision, no subscriptions).
 * - `invalid-result`: the answer does not have the shape that the specification gives it.
 */
export type ClientErrorCode = 'closed' | 'timeout' | 'unsupported' | 'invalid-result';

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

/** What every call meets once the connection has ended. */
export function closedError(): ClientError {
  return new ClientError('closed', 'The connection to the MCP server is closed.');
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
