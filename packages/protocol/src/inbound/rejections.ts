import type { RequestId } from '@inpage-mcp/transport';
import type { BudgetViolation } from '../fairness/message-budget.js';
import { ErrorCode, type ErrorObject } from '../wire/errors.js';

/** The errors of rejected messages. */

/**
 * The maximum length of an id, in UTF-16 code units, because each answer repeats it. The same limit holds for
 * a progress token, which each progress notification repeats.
 */
export const MAX_ID_LENGTH = 1_024;

/** The maximum number of messages in one batch. */
const MAX_BATCH = 1_000;

/** The error for a message that exceeds its budget, or contains a value that is not JSON: −32600. */
export function budgetError({ message, data }: BudgetViolation): ErrorObject {
  return { ...invalidRequest(message), ...(data && { data }) };
}

/** The error for messages that exceed the rate: −32000. */
export function rateError(maximum: number, retryAfterMs: number): ErrorObject {
  const data = { limit: 'requestsPerSecond', maximum, retryAfterMs };
  return { code: ErrorCode.ServerBusy, message: 'Too many requests: try again later.', data };
}

/**
 * The error for unanswered requests that reach the limit for their number or total size: −32000. If one
 * message alone exceeds that size, it can never be accepted: −32600.
 */
export function queueError(
  limit: 'requestsQueued' | 'keptBytes',
  maximum: number,
  bytes: number,
): ErrorObject {
  const data = { limit, maximum };
  if (limit === 'keptBytes' && bytes > maximum) {
    const message = `Messages are kept up to ${maximum} bytes together, and this is larger.`;
    return { ...invalidRequest(message), data };
  }
  const message = 'Too many requests are waiting: try again later.';
  return { code: ErrorCode.ServerBusy, message, data };
}

/**
 * The error for an id in use: −32600. It is sent without the id, because an answer with the id belongs to the
 * first request.
 */
export function idInUseError(): ErrorObject {
  return invalidRequest('A request with this id has yet to be answered.');
}

/** The error for a batch that is empty or too long: −32600. `undefined` if it is neither. */
export function batchLengthError(length: number): ErrorObject | undefined {
  if (length > 0 && length <= MAX_BATCH) return undefined;
  return invalidRequest(`A batch holds 1 to ${MAX_BATCH} messages.`);
}

/** The error for a value that is not a message: −32600. */
export function notAMessageError(): ErrorObject {
  return invalidRequest('This is no message of JSON-RPC.');
}

/** The error for an invalid id of a request: −32600. It is sent without the id. */
export function badIdError(): ErrorObject {
  return invalidRequest(
    `An id is a safe integer, or a string of at most ${MAX_ID_LENGTH} UTF-16 code units.`,
  );
}

/** The error for an invalid request: −32600. */
export function invalidRequest(message: string): ErrorObject {
  return { code: ErrorCode.InvalidRequest, message };
}

/** The id of a value that looks like a request, if the id is valid. */
export function requestIdOf(value: unknown): RequestId | undefined {
  // This also accepts an array with such members, which is rejected elsewhere.
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'method')) return;
  if (!Object.hasOwn(value, 'id')) return undefined;
  const { id } = value as { id: unknown };
  const isId = typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id);
  return isId ? (id as RequestId) : undefined;
}

/**
 * Whether a value looks like an answer. Answers are never answered, because otherwise two peers could loop
 * without end.
 */
export function looksLikeAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'method')) return false;
  return Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
}
