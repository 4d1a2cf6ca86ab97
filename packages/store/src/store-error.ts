/**
 * Why the store refused or failed.
 *
 * - `not-found`: no note of that id, no file at that path.
 * - `conflict`: `expectedRevision` is not the stored revision, there is a file where one was to be
 *   moved, or the idempotency key was used for another write; nothing was written.
 * - `forbidden`: outside the part of the store that this view may write; nothing was written.
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
  | 'forbidden'
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
  unavailable: 'IndexedDB is not available here (private mode or a blocked third-party frame).',
  closed: 'The store is closed.',
} satisfies { [code in StoreErrorCode]?: string };

/** The error of a code, in the words that fit it everywhere. */
export function storeErrorOf(code: keyof typeof TEXT_OF_CODE, options?: ErrorOptions): StoreError {
  return new StoreError(code, TEXT_OF_CODE[code], options);
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
