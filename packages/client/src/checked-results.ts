import { ClientError } from './client-error.js';
import type { Result } from './rpc-connection.js';

/** Looks at what the caller relies on; the rest is the server's promise. */
export function checked<Expected extends object>(
  method: string,
  result: Result,
  entries: keyof Expected & string,
): Expected {
  checkComplete(method, result);
  checkEntries(method, result, entries);
  return result as unknown as Expected;
}

/** A server may answer otherwise than with what was asked for (Base Protocol › Responses). */
export function checkComplete(method: string, { resultType = 'complete' }: Result): void {
  if (resultType === 'complete') return;
  const message = `The server answers ${method} with ${String(resultType)}, which is not expected.`;
  throw new ClientError('unsupported', message);
}

export function checkEntries(method: string, holder: unknown, entries: string): void {
  if (Array.isArray((holder as Result | undefined)?.[entries])) return;
  throw new ClientError('invalid-result', `The server's answer to ${method} has no ${entries}.`);
}
