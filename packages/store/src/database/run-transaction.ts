import type { StoreNames } from 'idb';
import type { Transaction } from './begin-transaction.js';
import { IS_WEBKIT } from './is-webkit.js';
import type { StoreSchema } from '../schema/schema.js';
import { StoreError, toStoreError } from '../errors/store-error.js';

/**
 * Runs the body of a transaction. A write resolves after its commit, a read after its body. Rejects
 * with a `StoreError`, or with the reason of the signal.
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
  // Never rejects: an unhandled rejection would hide the cause.
  const completion = transaction.done.then(
    () => undefined,
    (error: unknown) => toStoreError(error),
  );
  let cancelled = false;
  const cancel = (): void => {
    cancelled = abortIfActive(transaction);
  };
  signal?.addEventListener('abort', cancel);
  // The signal may have been aborted while the connection was being opened.
  if (signal?.aborted) cancel();
  try {
    const value = await body(transaction);
    // After `commit()` the transaction can no longer be aborted.
    if (mode === 'readwrite' && !signal) commitIfActive(transaction);
    // Only a write has to wait for `complete`.
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
 * Calls `commit()`, so that the browser does not wait for the result of each request before it commits.
 * Not in Firefox and WebKit, until these bugs are fixed:
 *
 * - Firefox (153): if a request fails after `commit()`, the others are stored, although the transaction
 *   is reported as aborted.
 * - WebKit (2.50): if the worker ends after `commit()`, as by a reload of the page, the transaction may
 *   never end. Its object stores can then not be read or written until the tab is closed.
 */
function commitIfActive(transaction: { commit(): void }): void {
  if (IS_WEBKIT || navigator.userAgent.includes('Firefox')) return;
  try {
    transaction.commit();
  } catch {
    // The transaction commits automatically, or has been aborted.
  }
}

/** Aborts a transaction. Returns false if it has already completed or failed. */
export function abortIfActive(transaction: { abort(): void }): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    return false;
  }
}

/** Errors of requests whose transaction has ended. They do not name the cause. */
const CONSEQUENCES: readonly string[] = [
  'AbortError',
  // Firefox: a request was made after the transaction had ended.
  'InvalidStateError',
  'TransactionInactiveError',
];

function isCause(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  return error instanceof DOMException && !CONSEQUENCES.includes(error.name);
}
