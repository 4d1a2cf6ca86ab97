import type { JsonRpcError } from '@inpage-mcp/transport';
import type { ElicitUrlParams } from './input-types.js';

/** The error of a JSON-RPC answer. */
export type ErrorObject = JsonRpcError['error'];

/** The codes of JSON-RPC 2.0 and of MCP (Base Protocol › Error Codes). */
export const ErrorCode = {
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /**
   * The code of a server that cannot handle the request now. It is the first of the codes that JSON-RPC
   * leaves to servers.
   */
  ServerBusy: -32000,
  /** The code up to 2025-11-25; later revisions use `InvalidParams`. */
  ResourceNotFound: -32002,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** The code up to 2025-11-25. */
  UrlElicitationRequired: -32042,
} as const;

const CODES: readonly number[] = Object.values(ErrorCode);

/** An error that is sent to the client as it is. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  /** The code: one of {@link ErrorCode}, or an app's own code, which is an integer that is not reserved. */
  readonly code: number;
  /** The data of the error. It must be plain data, because it is sent unchanged. */
  readonly data: unknown;

  /**
   * Creates an error.
   *
   * @throws {RangeError} for a code that JSON-RPC or MCP reserves (Base Protocol › Error Codes).
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    const isReserved = code >= -32_768 && code <= -32_020 && !CODES.includes(code);
    if (!Number.isInteger(code) || isReserved) {
      throw new RangeError(`${code} is not a code for errors of apps: see ProtocolError.`);
    }
    this.code = code;
    this.data = data;
  }

  /** The error as it is sent. */
  toErrorObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/**
 * An error that a tool throws to report a failure to the model: its message becomes a result with `isError`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The error for a resource that does not exist: −32602 with `data.uri`, and −32002 in the legacy era. */
export class ResourceNotFoundError extends ProtocolError {
  override readonly name = 'ResourceNotFoundError';
  constructor(uri: string) {
    super(ErrorCode.InvalidParams, 'Resource not found', { uri });
  }
}

/**
 * The error for a user who must open a URL first: −32042, only in 2025-11-25. In other revisions return
 * `inputRequired` with `inputRequired.elicitUrl` instead.
 */
export class UrlElicitationRequiredError extends ProtocolError {
  override readonly name = 'UrlElicitationRequiredError';
  constructor(elicitations: readonly ElicitUrlParams[], message = 'Open an address first.') {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations: [...elicitations] });
  }
}

/** The error for params of a request that are invalid, or name something that does not exist: −32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

/** The error for a handler that failed, or returned an invalid result: −32603. */
export function internalError(message = 'Internal error', data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, data);
}

/** The error for a handler that returned a result which is not valid for its method: −32603. */
export function invalidResultError(method: string, problem: string): ProtocolError {
  return internalError(`Invalid result of ${method}: ${cutText(problem)}`);
}

/** The maximum length of an error message, in UTF-16 code units, because it may repeat a text of the client. */
const MAX_MESSAGE_LENGTH = 500;

/** Cuts a text that may repeat a text of the client. */
export function cutText(text: string, maxLength = MAX_MESSAGE_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
