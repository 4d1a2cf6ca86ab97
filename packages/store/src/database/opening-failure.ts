import {
  noRoomToOpenError,
  StoreError,
  storeErrorOf,
  toStoreError,
  withQuota,
} from '../errors/store-error.js';

/** Errors of requests whose connection or transaction has ended. */
const CONSEQUENCES: readonly string[] = [
  'AbortError',
  'InvalidStateError',
  'TransactionInactiveError',
];

const isConsequence = (error: unknown): error is DOMException =>
  error instanceof DOMException && CONSEQUENCES.includes(error.name);

/** The first of these errors that names the cause. A full disk comes first. */
export function causeOf(errors: readonly unknown[]): unknown {
  const known = errors.filter((error) => error !== undefined && error !== null);
  return known.find(isOfFullDisk) ?? known.find((error) => !isConsequence(error)) ?? known[0];
}

/**
 * The cause of a failed upgrade. If only its end is known, the result is not an error of a connection,
 * because after such an error another connection would be opened.
 */
export function upgradeFailure(cause: unknown): unknown {
  if (!isConsequence(cause)) return cause;
  const text =
    'The browser has ended an upgrade of the data and has undone it. The disk may be full.';
  return new StoreError('failed', text, { cause: new Error(cause.message, { cause }) });
}

/**
 * The error of a database that could not be opened. Browsers report a full disk by many names, some
 * ambiguous.
 */
export async function openingFailure(error: unknown): Promise<StoreError> {
  if (isOfFullDisk(error)) return noRoomToOpenError(error);
  const name = error instanceof DOMException ? error.name : '';
  if (isForbidden(error)) return storeErrorOf('unavailable', { cause: error });
  if (name === 'UnknownError') {
    const text = 'The browser could not open the data. The disk may be full, or its files damaged.';
    return new StoreError('failed', text, { cause: error });
  }
  if (name === 'NotFoundError') {
    const text =
      'An upgrade of the data failed, and the browser has not undone it. The disk may be full; make room, then start the browser again.';
    return new StoreError('failed', text, { cause: error });
  }
  return await withQuota(toStoreError(error));
}

/** Whether an open has failed because the browser, not the store itself, has found no room. */
export function isNoRoomOfBrowser(error: unknown): boolean {
  return error instanceof StoreError && isOfFullDisk(error.cause);
}

/** Whether the browser reports a full disk: Chromium does when it opens a database. */
function isOfFullDisk(error: unknown): error is DOMException {
  return error instanceof DOMException && /NO_SPACE|disk is full|full disk/.test(error.message);
}

/** Whether the user has blocked data: only the message in Chromium shows it, not the error's name. */
function isForbidden(error: unknown): error is DOMException {
  return error instanceof DOMException && error.message.includes('denied permission');
}
