/**
 * Why the store refused or failed.
 *
 * - `not-found`: no note of that id, no file at that path.
 * - `conflict`: `expectedRevision` is not the stored revision; nothing was written.
 * - `invalid-argument`: a value outside the documented limits; nothing was written.
 * - `quota-exceeded`: the browser has no room; nothing of the write was kept.
 * - `unreadable`: the bytes handed over can no longer be read (a file that was moved or changed).
 * - `blocked`: another tab holds an older version of the database open and does not let go.
 * - `newer-version`: a newer version of this software has upgraded the database; reload the page.
 * - `unavailable`: IndexedDB is missing or forbidden here.
 * - `closed`: the store was closed.
 * - `failed`: anything else the browser reports; see `cause`.
 */
export type StoreErrorCode =
  | 'not-found'
  | 'conflict'
  | 'invalid-argument'
  | 'quota-exceeded'
  | 'unreadable'
  | 'blocked'
  | 'newer-version'
  | 'unavailable'
  | 'closed'
  | 'failed';

/** A failure of the store. The message names the thing it happened to. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** What happened, for programs. */
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const CODE_OF_EXCEPTION: { [name: string]: StoreErrorCode } = {
  QuotaExceededError: 'quota-exceeded',
  NotReadableError: 'unreadable',
  NotFoundError: 'unreadable',
  VersionError: 'newer-version',
  SecurityError: 'unavailable',
};

const TEXT_OF_CODE: { [code in StoreErrorCode]?: string } = {
  'quota-exceeded': 'The browser has no room left for this site; nothing was written.',
  unreadable: 'The bytes can no longer be read; choose the file again.',
  'newer-version': 'A newer version of this app has upgraded the data; reload the page.',
  unavailable: 'IndexedDB is not available here (private mode or a blocked third-party frame).',
};

/** Translates whatever IndexedDB threw. A `StoreError` passes through. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const name = cause instanceof Error ? cause.name : '';
  const code = Object.hasOwn(CODE_OF_EXCEPTION, name) ? CODE_OF_EXCEPTION[name]! : 'failed';
  const text = TEXT_OF_CODE[code] ?? `The browser could not carry this out (${name || 'unknown'}).`;
  return new StoreError(code, text, { cause });
}
