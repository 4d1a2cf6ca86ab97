import { answer, ANSWERS } from './answer-shapes.js';
import { arrayOf, object } from './checks.js';
import { ClientError } from '../api/client-error.js';
import type { Result } from '@inpage-mcp/protocol/types';

/**
 * The maximum number of entries of an answer that are checked. Hundreds of thousands would block the page for
 * a moment.
 */
const MAX_ENTRIES = 10_000;

/**
 * Returns the answer to a request without its invalid parts. An invalid optional field is omitted; an
 * entry without a valid required field is omitted and counted as `unusable`, and so is each entry after the
 * first {@link MAX_ENTRIES}.
 *
 * @throws {ClientError} `invalid-result` if nothing valid is left; `unsupported` if the answer is
 *   not of the requested type.
 */
export function checkResult(method: string, result: Result): unknown {
  checkComplete(method, result);
  const { key, entry, isEssential } = ANSWERS[method]!;
  const entries = arrayOf((one) => one ?? false)(result[key]) as unknown[] | undefined;
  if (!entries) throw invalidResult(method, key);
  const usable = arrayOf(entry)(entries.slice(0, MAX_ENTRIES)) as unknown[];
  if (isEssential && entries.length > 0 && usable.length === 0)
    throw invalidResult(method, `usable ${key}`);
  const clean = answer(result) as Result;
  // If the cursor is invalid, the rest of the list is lost, and counts as one entry.
  const lost = (result['nextCursor'] ?? undefined) === clean['nextCursor'] ? 0 : 1;
  const unusable = entries.length - usable.length + lost;
  return { ...clean, [key]: usable, ...(unusable > 0 && { unusable }) };
}

/** Checks the part of an answer that contains all requested fields. */
export function checkResultPart(method: string, result: Result, part: string): unknown {
  checkComplete(method, result);
  return checkResult(method, (object(result[part]) ?? {}) as Result);
}

/** Requires an answer of the requested type: a server may send another one (Base Protocol › Responses). */
function checkComplete(method: string, { resultType = 'complete' }: Result): void {
  if (resultType === 'complete') return;
  const message = `The server's answer to ${method} is of an unexpected type.`;
  throw new ClientError('unsupported', message, { cause: resultType });
}

function invalidResult(method: string, missing: string): ClientError {
  return new ClientError('invalid-result', `The server's answer to ${method} has no ${missing}.`);
}
