import { clearedError, diskFullError, StoreError, toStoreError } from '../errors/store-error.js';

/** Errors of requests whose connection was lost. On another connection they may succeed. */
const LOST: readonly string[] = ['AbortError', 'InvalidStateError', 'UnknownError'];

/** Whether the browser threw this because it has closed the connection. */
export function isLostConnection(error: unknown): error is DOMException {
  return error instanceof DOMException && LOST.includes(error.name);
}

/** Whether a transaction failed because the browser has closed the connection. */
export function isConnectionLoss(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'failed' && isLostConnection(error.cause);
}

/** The error of a transaction that could not begin. For a write it names a full disk as the cause. */
export function beginFailure(error: unknown, mode: IDBTransactionMode): StoreError {
  return (mode === 'readwrite' && openFailure(error)) || toStoreError(error);
}

/** Whether the browser is deleting the data of the site: only the message in Chromium (156) shows it. */
export function isOfDeletion(cause: unknown): boolean {
  return cause instanceof DOMException && cause.message.includes('delete origin');
}

/**
 * The error if the disk is too full to open the database, or its data is being deleted; undefined for other
 * causes.
 */
export function openFailure(error: unknown): StoreError | undefined {
  if (isConnectionLoss(error))
    return isOfDeletion(error.cause) ? clearedError(error.cause) : diskFullError(error.cause);
  return error instanceof StoreError && error.code === 'quota-exceeded' ? error : undefined;
}
