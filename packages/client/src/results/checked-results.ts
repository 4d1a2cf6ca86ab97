import { answer, ANSWERS } from './answer-shapes.js';
import { list, object } from './checks.js';
import { ClientError } from '../api/client-error.js';
import type { Result } from '@inpage-mcp/protocol/types';

/**
 * The answer to a request, without what is wrong in it. A wrong field that is optional is left out;
 * an entry that lacks a required one is left out and counted, as `unusable`.
 *
 * @throws {ClientError} `invalid-result` when there is nothing to go by; `unsupported` when the
 *   answer is not of the type that was asked for.
 */
export function checked(method: string, result: Result): unknown {
  checkComplete(method, result);
  const { key, entry, isEssential } = ANSWERS[method]!;
  const entries = list((one) => one ?? false)(result[key]) as unknown[] | undefined;
  if (!entries) throw invalidResult(method, key);
  const usable = list(entry)(entries) as unknown[];
  if (isEssential && entries.length > 0 && usable.length === 0)
    throw invalidResult(method, `usable ${key}`);
  const clean = answer(result) as Result;
  // Where the list goes on is not known, so that the rest of it counts as one.
  const lost = (result['nextCursor'] ?? undefined) === clean['nextCursor'] ? 0 : 1;
  const unusable = entries.length - usable.length + lost;
  return { ...clean, [key]: usable, ...(unusable > 0 && { unusable }) };
}

/** The part of an answer that holds all that was asked for. */
export function checkedPart(method: string, result: Result, part: string): unknown {
  checkComplete(method, result);
  return checked(method, (object(result[part]) ?? {}) as Result);
}

/** A server may answer otherwise than with what was asked for (Base Protocol › Responses). */
function checkComplete(method: string, { resultType = 'complete' }: Result): void {
  if (resultType === 'complete') return;
  const message = `The server's answer to ${method} is of a type that is not expected.`;
  throw new ClientError('unsupported', message, { cause: resultType });
}

function invalidResult(method: string, missing: string): ClientError {
  return new ClientError('invalid-result', `The server's answer to ${method} has no ${missing}.`);
}
