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
   * The server cannot handle the request now. The first of the codes that JSON-RPC leaves to
   * servers.
   */
  ServerBusy: -32000,
  /** Up to 2025-11-25; later revisions use `InvalidParams`. */
  ResourceNotFound: -32002,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Up to 2025-11-25. */
  UrlElicitationRequired: -32042,
} as const;

const CODES: readonly number[] = Object.values(ErrorCode);

/** An error that is sent to the client as it is. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  /** One of {@link ErrorCode}, or an app's own code: an integer that is not reserved. */
  readonly code: number;
  /** Must be plain data: it is sent unchanged. */
  readonly data: unknown;

  /** @throws {RangeError} for a code that JSON-RPC or MCP reserves (Base Protocol › Error Codes). */
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
 * A tool throws this to report an error to the model: its message becomes a result with `isError`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** The resource does not exist: −32602 with `data.uri`, and −32002 in the legacy era. */
export class ResourceNotFoundError extends ProtocolError {
  override readonly name = 'ResourceNotFoundError';
  constructor(uri: string) {
    super(ErrorCode.InvalidParams, 'Resource not found', { uri });
  }
}

/**
 * The user must open a URL first: −32042, in 2025-11-25 alone. In other revisions return
 * `inputRequired` with `inputRequired.elicitUrl` instead.
 */
export class UrlElicitationRequiredError extends ProtocolError {
  override readonly name = 'UrlElicitationRequiredError';
  constructor(elicitations: readonly ElicitUrlParams[], message = 'Open an address first.') {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations: [...elicitations] });
  }
}

/** The params of a request are invalid, or name something that does not exist: −32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

/** A handler failed, or returned an invalid result: −32603. */
export function internalError(message = 'Internal error', data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, data);
}

/** A handler returned a result that is not valid for its method: −32603. */
export function invalidResultError(method: string, problem: string): ProtocolError {
  return internalError(`Invalid result of ${method}: ${cutText(problem)}`);
}

/** The longest error message, in UTF-16 code units, since it may repeat what a client sent. */
const MAX_MESSAGE_LENGTH = 500;

/** Cuts a text that may repeat what a client sent. */
export function cutText(text: string, maxLength = MAX_MESSAGE_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
