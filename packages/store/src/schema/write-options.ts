import { StoreError } from '../errors/store-error.js';

/** The options of every write. */
export interface WriteOptions {
  /**
   * Makes the write safe to repeat: a retry with the same key and the same arguments writes nothing, and
   * resolves with the result of the first call, even if the entry has changed since. The same key with
   * other arguments rejects with `conflict`. A failed write does not use its key.
   *
   * 1 to `MAX_IDEMPOTENCY_KEY_LENGTH` code units, for example a UUID; kept for `IDEMPOTENCY_KEY_TTL_MS`.
   * Default: none.
   */
  idempotencyKey?: string | undefined;
  /**
   * Aborts the write. An abort before the commit undoes the write, which then rejects with `signal.reason`; a
   * later abort has no effect. Default: none.
   */
  signal?: AbortSignal | undefined;
}

/** The option of a write to an existing entry. */
export interface RevisionOption {
  /**
   * The revision that the stored entry must have; with another one, the write rejects with `conflict`.
   * Default: any.
   */
  expectedRevision?: number | undefined;
}

/** The options of an update of a note or file. */
export interface UpdateOptions extends WriteOptions, RevisionOption {}

/**
 * Rejects an update that contains options: they would be ignored.
 *
 * @throws {StoreError} `invalid-argument`
 */
export function checkNoOptions(update: object): void {
  for (const name of ['expectedRevision', 'idempotencyKey', 'signal']) {
    if (!Object.hasOwn(update, name)) continue;
    throw new StoreError('invalid-argument', `${name} is an option: pass it after the update.`);
  }
}
