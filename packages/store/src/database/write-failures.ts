import { clearedError, diskFullError, StoreError } from '../errors/store-error.js';
import { type BrowserLog, CLOSE_EVENT_MS } from './browser-log.js';
import { isOfDeletion, openFailure } from './connection-errors.js';
import type { ConnectionLoss } from './connection-loss.js';

/** The connection of a failed write. */
export interface FailedOn {
  /** The id of the database. */
  id: string;
  loss: ConnectionLoss;
}

/** Finds out why a write failed: browsers report several causes by the same exception. */
export class WriteFailures {
  readonly #browserLog: BrowserLog;
  readonly #currentId: () => Promise<string>;

  /** @param currentId The id of the database that an open finds now. */
  constructor(browserLog: BrowserLog, currentId: () => Promise<string>) {
    this.#browserLog = browserLog;
    this.#currentId = currentId;
  }

  /**
   * The cause of a failed transaction. In WebKit an `AbortError` that the store did not cause means a full
   * disk.
   */
  async ofTransaction(failure: unknown, failedOn: FailedOn): Promise<unknown> {
    const cause = failure instanceof StoreError && failure.code === 'failed' && failure.cause;
    if (!(cause instanceof DOMException) || cause.name !== 'AbortError')
      return await this.ofWrite(failure, failedOn);
    return (await isClosed(failedOn.loss)) ? failure : diskFullError(cause);
  }

  /** Distinguishes a disk that cannot be written to from a database that no longer exists. */
  async ofWrite(failure: unknown, { id, loss }: FailedOn): Promise<unknown> {
    if (!(failure instanceof StoreError)) return failure;
    if (failure.code === 'quota-exceeded') this.#browserLog.recordFailedWrite('quota');
    const { cause } = failure;
    if (failure.code !== 'failed' || !(cause instanceof DOMException)) return failure;
    // Chromium could not write the file of a Blob.
    if (cause.name === 'DataError') return diskFullError(cause);
    if (cause.name !== 'UnknownError') return failure;
    this.#browserLog.recordFailedWrite('unknown');
    if (isOfDeletion(cause)) return clearedError(cause);
    if (!(await isClosed(loss))) return diskFullError(cause);
    try {
      return (await this.#currentId()) === id ? diskFullError(cause) : clearedError(cause);
    } catch (error) {
      return openFailure(error) ?? failure;
    }
  }
}

/** Whether the browser has closed the connection, or does so in a moment. */
async function isClosed({ occurred }: ConnectionLoss): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setTimeout(resolve, CLOSE_EVENT_MS, false));
  return await Promise.race([occurred.then(() => true), later]);
}
