import { StoreError, storeErrorOf, toStoreError, withQuota } from '../errors/store-error.js';

/** What happens to requests because the connection or the transaction has ended. */
const CONSEQUENCES: readonly string[] = [
  'AbortError',
  'InvalidStateError',
  'TransactionInactiveError',
];

const isConsequence = (error: unknown): boolean =>
  error instanceof DOMException && CONSEQUENCES.includes(error.name);

/** Of what was thrown, in that order, the first that says why. */
export function causeOf(errors: readonly unknown[]): unknown {
  const known = errors.filter((error) => error !== undefined && error !== null);
  return known.find(isOfFullDisk) ?? known.find((error) => !isConsequence(error)) ?? known[0];
}

/** Why the database could not be opened. A full disk has many names, and some leave the cause open. */
export async function openingFailure(error: unknown): Promise<StoreError> {
  if (isOfFullDisk(error)) {
    const text = 'The disk is full: the data could not be opened. Make room, then try again.';
    return new StoreError('quota-exceeded', text, { cause: error });
  }
  const name = error instanceof DOMException ? error.name : '';
  if (isForbidden(error)) return storeErrorOf('unavailable', { cause: error });
  if (name === 'UnknownError') {
    const text = 'The browser could not open the data. The disk may be full, or its files damaged.';
    return new StoreError('failed', text, { cause: error });
  }
  if (name === 'NotFoundError') {
    const text =
      'The browser has not undone an upgrade of the data that failed. The disk may be full; make room, then start the browser again.';
    return new StoreError('failed', text, { cause: error });
  }
  return await withQuota(toStoreError(error));
}

/** Whether the browser itself says that the disk is full: Chromium does, where it opens a database. */
function isOfFullDisk(error: unknown): error is DOMException {
  return error instanceof DOMException && /NO_SPACE|disk is full|full disk/.test(error.message);
}

/** Whether data is blocked: Chromium says so in these words, and with the name of any failure. */
function isForbidden(error: unknown): error is DOMException {
  return error instanceof DOMException && error.message.includes('denied permission');
}
