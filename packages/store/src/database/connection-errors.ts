import { diskFull, StoreError, toStoreError } from '../errors/store-error.js';

/** What requests fail with whose connection was lost: on another one they may succeed. */
const LOST: readonly string[] = ['AbortError', 'InvalidStateError', 'UnknownError'];

/** Whether a connection that the browser has closed is why this was thrown. */
export function isLostConnection(error: unknown): error is DOMException {
  return error instanceof DOMException && LOST.includes(error.name);
}

/** The same of what a transaction has failed with. */
export function isConnectionLoss(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'failed' && isLostConnection(error.cause);
}

/** Why a transaction could not begin. A write that cannot for a full disk says so. */
export function beginFailure(error: unknown, mode: IDBTransactionMode): StoreError {
  return (mode === 'readwrite' && openFailure(error)) || toStoreError(error);
}

/** Where the browser cannot open the database, as on a disk with not a byte left. */
export function openFailure(error: unknown): StoreError | undefined {
  if (isConnectionLoss(error)) return diskFull(error.cause);
  return error instanceof StoreError && error.code === 'quota-exceeded' ? error : undefined;
}
