import { storageEstimate } from './storage-estimate.js';

/**
 * Why the store refused or failed.
 *
 * - `not-found`: no note of that id, no file at that path.
 * - `conflict`: `expectedRevision` is not the stored revision, there is a file where one was to be
 *   moved, or the idempotency key was used for another write; nothing was written.
 * - `forbidden`: outside the part of the store that this view may write; nothing was written.
 * - `invalid-argument`: a value outside the documented limits; nothing was written.
 * - `quota-exceeded`: the browser has no room, or could not write to a disk that may be full; nothing
 *   of the write was kept.
 * - `unreadable`: the bytes handed over can no longer be read (a file that was moved or changed).
 * - `blocked`: another tab holds an older version of the database open and does not let go.
 * - `newer-version`: a newer version of this software has upgraded the database; reload the page.
 * - `timeout`: the browser did not come to an end with it, as on a full disk. It was aborted; only what
 *   was being committed at that moment may have been kept.
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
  | 'unreadable'
  | 'blocked'
  | 'newer-version'
  | 'timeout'
  | 'unavailable'
  | 'closed'
  | 'failed';

/** How much room the browser gives to the origin, in bytes. An estimate: see `StorageManager`. */
export interface Quota {
  usedBytes: number;
  quotaBytes: number;
}

/** A failure of the store. The message names the thing it happened to. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** What happened, for programs. */
  readonly code: StoreErrorCode;
  /** Of `quota-exceeded`, where the browser says it. */
  readonly quota: Quota | undefined;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions & { quota?: Quota }) {
    super(message, options);
    this.code = code;
    this.quota = options?.quota;
  }
}

/** The error with the numbers, where it is that there is no room. */
export async function withQuota(error: StoreError): Promise<StoreError> {
  if (error.code !== 'quota-exceeded' || error.quota) return error;
  const { usage, quota } = await storageEstimate();
  if (usage === undefined || quota === undefined) return error;
  const text = `${error.message} It uses ${inMegabytes(usage)} of ${inMegabytes(quota)}.`;
  const { cause } = error;
  return new StoreError(error.code, text, {
    cause,
    quota: { usedBytes: usage, quotaBytes: quota },
  });
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const CODE_OF_EXCEPTION: { [name: string]: keyof typeof TEXT_OF_CODE } = {
  QuotaExceededError: 'quota-exceeded',
  NotReadableError: 'unreadable',
  NotFoundError: 'unreadable',
  VersionError: 'newer-version',
  SecurityError: 'unavailable',
};

/** What can be said of a code without knowing more. */
const TEXT_OF_CODE = {
  'quota-exceeded': 'The browser has no room left for this site; nothing was written.',
  unreadable: 'The bytes can no longer be read; choose the file again.',
  blocked:
    'Another tab of this app holds the data; close or reload the other tabs, then try again.',
  'newer-version': 'A newer version of this app has upgraded the data; reload the page.',
  timeout: 'The browser did not answer in time. The disk may be full; look before you write again.',
  unavailable:
    'The browser lets this page keep no data (IndexedDB), as in some private windows, where the data of sites is blocked, and in frames of other sites.',
  closed: 'The store is closed.',
} satisfies { [code in StoreErrorCode]?: string };

/** The error of a code, in the words that fit it everywhere. */
export function storeErrorOf(code: keyof typeof TEXT_OF_CODE, options?: ErrorOptions): StoreError {
  return new StoreError(code, TEXT_OF_CODE[code], options);
}

/** What a body throws of whose transaction nothing is to be kept. */
export function intentionalAbort(): StoreError {
  return new StoreError('failed', 'Nothing of it was to be kept.');
}

/** The error of a write that could not be carried out, while reading goes on. */
export function diskFull(cause: unknown): StoreError {
  const text = 'It could not be written: the disk may be full. Nothing of it was kept.';
  return new StoreError('quota-exceeded', text, { cause });
}

/** Whether the browser grants no more room. On a full disk it may say so, too. */
export function isOfQuota(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code !== 'quota-exceeded') return false;
  return error.cause instanceof DOMException && error.cause.name === 'QuotaExceededError';
}

/** Whether the disk could not be written to. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'quota-exceeded' && !isOfQuota(error);
}

/** Translates whatever IndexedDB threw. A `StoreError` passes through. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  if (Object.hasOwn(CODE_OF_EXCEPTION, name))
    return storeErrorOf(CODE_OF_EXCEPTION[name]!, { cause });
  const text = `The browser could not carry this out (${name || 'unknown'}).`;
  return new StoreError('failed', text, { cause });
}
