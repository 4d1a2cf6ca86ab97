import type { StoreNames } from 'idb';
import type { Transaction } from './begin-transaction.js';
import { IS_WEBKIT } from './is-webkit.js';
import type { StoreSchema } from '../schema/schema.js';
import { StoreError, toStoreError } from '../errors/store-error.js';

/**
 * Runs the body of a transaction, and waits as long as what it did may still be undone: a write for
 * its commit, a read for its body. Rejects with a `StoreError`, or with the reason of the signal.
 */
export async function runTransaction<
  Names extends StoreNames<StoreSchema>[],
  Mode extends 'readonly' | 'readwrite',
  Value,
>(
  transaction: Transaction<Names, Mode>,
  mode: Mode,
  body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  // Whatever fails first, this promise is looked at: an unhandled rejection would hide the cause.
  const completion = transaction.done.then(
    () => undefined,
    (error: unknown) => toStoreError(error),
  );
  let cancelled = false;
  const cancel = (): void => {
    cancelled = abortIfActive(transaction);
  };
  signal?.addEventListener('abort', cancel);
  // It may have been aborted while the connection was being opened.
  if (signal?.aborted) cancel();
  try {
    const value = await body(transaction);
    // From then on it cannot be aborted any more.
    if (mode === 'readwrite' && !signal) commitIfActive(transaction);
    // What was read is true already; only a write has to wait for `complete`.
    const failure = mode === 'readwrite' ? await completion : undefined;
    if (failure) throw failure;
    return value;
  } catch (error) {
    abortIfActive(transaction);
    const failure = await completion;
    if (cancelled) signal?.throwIfAborted();
    throw isCause(error) ? toStoreError(error) : (failure ?? toStoreError(error));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/**
 * So that the browser does not wait for the outcome of each request before it begins to commit. Without
 * their bugs it can go in Firefox and WebKit, too:
 *
 * - Firefox (153), where a request fails after `commit()`, keeps the others, and reports that nothing is
 *   kept.
 * - WebKit (2.50), where the worker ends after `commit()`, as by a reload of the page, may never end the
 *   transaction: nobody can read or write what it names until the tab is closed.
 */
function commitIfActive(transaction: { commit(): void }): void {
  if (IS_WEBKIT || navigator.userAgent.includes('Firefox')) return;
  try {
    transaction.commit();
  } catch {
    // It commits by itself, or has been aborted.
  }
}

/** Returns whether it could: a transaction may have ended already, by its failure or by completing. */
export function abortIfActive(transaction: { abort(): void }): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    return false;
  }
}

/** What fails because its transaction has ended says nothing of why that has. */
const CONSEQUENCES: readonly string[] = [
  'AbortError',
  // In Firefox: a request that begins when it has ended already.
  'InvalidStateError',
  'TransactionInactiveError',
];

function isCause(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  return error instanceof DOMException && !CONSEQUENCES.includes(error.name);
}
