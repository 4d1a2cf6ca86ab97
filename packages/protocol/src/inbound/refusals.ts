import type { RequestId } from '@inpage-mcp/transport';
import type { BudgetFinding } from '../fairness/message-budget.js';
import { ErrorCode, type ErrorObject } from '../wire/errors.js';

/** The errors of messages that are not let in, as they go out. */

/**
 * The longest id that is answered, in UTF-16 code units: each answer repeats it. The same holds for
 * a progress token, which each notification of progress repeats.
 */
export const MAX_ID_LENGTH = 1_024;

/** The message is larger than it may be, or holds what JSON has not: −32600. */
export function pastBudget({ message, data }: BudgetFinding): ErrorObject {
  return { ...invalidRequest(message), ...(data && { data }) };
}

/** There were too many messages in too short a time: −32000. */
export function pastRate(maximum: number, retryAfterMs: number): ErrorObject {
  const data = { limit: 'requestsPerSecond', maximum, retryAfterMs };
  return { code: ErrorCode.ServerBusy, message: 'Too many requests: try again later.', data };
}

/**
 * As many requests are unanswered as may be, or as large ones: −32000. −32600 where one is too large by
 * itself, as it never finds room.
 */
export function pastQueue(
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

/** −32600. Goes out without the id: what answers it is the first request. */
export function idInUse(): ErrorObject {
  return invalidRequest('A request with this id has yet to be answered.');
}

/** −32600. */
export function notAMessage(): ErrorObject {
  return invalidRequest('This is no message of JSON-RPC.');
}

/** The id of a request is none that is answered: −32600. Goes out without it. */
export function badId(): ErrorObject {
  return invalidRequest(
    `An id is a safe integer, or a string of at most ${MAX_ID_LENGTH} UTF-16 code units.`,
  );
}

/** −32600. */
export function invalidRequest(message: string): ErrorObject {
  return { code: ErrorCode.InvalidRequest, message };
}

/** The id of whatever may be meant as a request, if it has one that can be answered. */
export function requestIdOf(value: unknown): RequestId | undefined {
  // Also an array with such members, which is refused.
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'method')) return;
  if (!Object.hasOwn(value, 'id')) return undefined;
  const { id } = value as { id: unknown };
  const isId = typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id);
  return isId ? (id as RequestId) : undefined;
}

/**
 * Whether something may be meant as an answer. Nobody answers those, or two peers could go on for
 * ever.
 */
export function isLikeAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'method')) return false;
  return Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
}
