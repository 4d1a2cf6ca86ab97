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
  /** It cannot be done now. The first of those that JSON-RPC leaves to servers. */
  ServerBusy: -32000,
  /** Up to 2025-11-25; since then it is `InvalidParams`. */
  ResourceNotFound: -32002,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Up to 2025-11-25. */
  UrlElicitationRequired: -32042,
} as const;

/** What is answered as this error, whatever threw it. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  /** One of {@link ErrorCode}, or of an app's own. */
  readonly code: number;
  /** Has to be plain data: it is sent as it is. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** As it goes out. */
  toErrorObject(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** What a tool throws to say something to the model: its message becomes a result with `isError`. */
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
 * The user has to open an address first: −32042, up to 2025-11-25. In the modern era return
 * `inputRequired` with `inputRequired.elicitUrl` instead.
 */
export class UrlElicitationRequiredError extends ProtocolError {
  override readonly name = 'UrlElicitationRequiredError';
  constructor(elicitations: readonly ElicitUrlParams[], message = 'Open an address first.') {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations: [...elicitations] });
  }
}

/** What a request asks for does not exist or does not fit: −32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

/** A handler has done what it must not: −32603. */
export function internalError(message = 'Internal error', data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, message, data);
}

/** A message may name what a client sent; no more of it than one can read, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 500;

/** A text that names what a client sent, as much of it as one can read. */
export function cutText(text: string, maxLength = MAX_MESSAGE_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
