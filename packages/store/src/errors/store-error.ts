import { storageEstimate } from './storage-estimate.js';

/**
 * The reason why the store rejected a call.
 *
 * - `not-found`: no note with that id, no file at that path.
 * - `conflict`: `expectedRevision` is not the stored revision, a file exists at the target of a move, or
 *   the idempotency key was used for another write; nothing was written.
 * - `forbidden`: outside the part of the store that this view may write; nothing was written.
 * - `invalid-argument`: a value outside the documented limits; nothing was written.
 * - `quota-exceeded`: the quota is used up, or the browser could not write, perhaps because the disk is
 *   full; nothing was written.
 * - `too-large`: an import would take more space than `maxBytes`; nothing was written.
 * - `unreadable`: the bytes of the argument can no longer be read (a file that was moved or changed).
 * - `blocked`: another tab holds an older version of the database open and does not close it.
 * - `newer-version`: a newer version of this software has upgraded the database; reload the page.
 * - `timeout`: the browser did not finish in time, as while very much is written, or on a full disk. The
 *   transaction was aborted; only a commit that was running at that moment may have been stored.
 * - `unavailable`: IndexedDB is missing or forbidden here.
 * - `closed`: the store was closed.
 * - `failed`: anything else the browser reports; see `cause`.
 */
export type StoreErrorCode =
  | 'not-found'
  | 'conflict'
  | 'forbidden'
  | 'invalid-argument'
  | 'quota-exceeded'
  | 'too-large'
  | 'unreadable'
  | 'blocked'
  | 'newer-version'
  | 'timeout'
  | 'unavailable'
  | 'closed'
  | 'failed';

/** The storage quota of the origin, in bytes. An estimate: see `StorageManager`. */
export interface Quota {
  /** The number of bytes that the origin uses. */
  usedBytes: number;
  /** The number of bytes that the origin may use. */
  quotaBytes: number;
}

/** An error of the store. The message names the note, file or value. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The kind of error, for programs. */
  readonly code: StoreErrorCode;
  /** The quota, with `quota-exceeded`, if the browser reports it. */
  readonly quota: Quota | undefined;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions & { quota?: Quota }) {
    super(message, options);
    this.code = code;
    this.quota = options?.quota;
  }
}

/** The used part of a quota from which on the quota counts as the cause of missing room. */
const NEARLY_ALL = 0.9;

/** Adds usage and quota to a `quota-exceeded` error. */
export async function withQuota(error: StoreError): Promise<StoreError> {
  if (error.code !== 'quota-exceeded' || error.quota) return error;
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return error;
  // If much of the quota is left, the quota is not the cause: the disk is full, or the browser gives less
  // than it reports.
  const ofQuota = usage > quota * NEARLY_ALL ? ` of ${formatMegabytes(quota)}` : '';
  const text = `${error.message} It uses ${formatMegabytes(usage)}${ofQuota}.`;
  const { cause } = error;
  return new StoreError(error.code, text, {
    cause,
    quota: { usedBytes: usage, quotaBytes: quota },
  });
}

/** A size for the text of an error. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const CODE_OF_EXCEPTION: { [name: string]: keyof typeof TEXT_OF_CODE } = {
  QuotaExceededError: 'quota-exceeded',
  NotReadableError: 'unreadable',
  NotFoundError: 'unreadable',
  VersionError: 'newer-version',
  SecurityError: 'unavailable',
};

/** The general error text of a code. */
const TEXT_OF_CODE = {
  'quota-exceeded': 'The browser has no room left for this site; nothing was written.',
  unreadable: 'The bytes can no longer be read; choose the file again.',
  blocked:
    'Another tab of this app blocks the data; close or reload the other tabs, then try again.',
  'newer-version': 'A newer version of this app has upgraded the data; reload the page.',
  unavailable:
    'The browser does not let this page store data (IndexedDB). This happens in some private windows, if site data is blocked, and in frames of other sites.',
  closed: 'The store is closed.',
} satisfies { [code in StoreErrorCode]?: string };

/** The error of a code, with its general text. */
export function storeErrorOf(code: keyof typeof TEXT_OF_CODE, options?: ErrorOptions): StoreError {
  return new StoreError(code, TEXT_OF_CODE[code], options);
}

/** The error of a transaction that has not ended in time. A read needs no room on the disk. */
export function timeoutError(mode: 'readonly' | 'readwrite'): StoreError {
  const text =
    mode === 'readonly'
      ? 'The browser did not answer in time: it may be busy with other work. Try again.'
      : 'The browser did not answer in time: it may be busy, or the disk may be full. Check the data before you write again.';
  return new StoreError('timeout', text);
}

/** The error with which a body aborts its own transaction. */
export function intentionalAbort(): StoreError {
  return new StoreError('failed', 'The transaction was aborted on purpose.');
}

/** The error of a write that failed while reads still work. */
export function diskFullError(cause: unknown): StoreError {
  const text = 'The browser could not write: the disk may be full. Nothing was written.';
  return new StoreError('quota-exceeded', text, { cause });
}

/** The error of a write whose database was deleted before its end. */
export function clearedError(cause: unknown): StoreError {
  const text = 'The data of this site was cleared at the same time. Nothing was written.';
  return new StoreError('failed', text, { cause });
}

/** The error of an open that needs room on the disk. */
export function noRoomToOpenError(cause?: unknown): StoreError {
  const text = 'The disk is full: the data could not be opened. Make room, then try again.';
  return new StoreError('quota-exceeded', text, { cause });
}

/** Whether the quota is used up. The browser may report this for a full disk, too. */
export function isQuotaError(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code !== 'quota-exceeded') return false;
  return error.cause instanceof DOMException && error.cause.name === 'QuotaExceededError';
}

/** Whether the disk could not be written to. */
export function isDiskError(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'quota-exceeded' && !isQuotaError(error);
}

/** Converts an exception of IndexedDB. A `StoreError` is returned as it is. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  if (Object.hasOwn(CODE_OF_EXCEPTION, name))
    return storeErrorOf(CODE_OF_EXCEPTION[name]!, { cause });
  const text = `The browser could not complete the operation (${name || 'unknown'}).`;
  return new StoreError('failed', text, { cause });
}
