import { StoreError } from '../errors/store-error.js';

/** What every write accepts. */
export interface WriteOptions {
  /**
   * Makes the write safe to repeat: a retry with the same key and the same arguments writes nothing
   * and resolves with what the first resolved with, even if the entry has changed since. The same
   * key with anything else rejects with `conflict`. A write that fails leaves its key unused.
   *
   * 1 to `MAX_IDEMPOTENCY_KEY_LENGTH` code units, such as a UUID; kept for `IDEMPOTENCY_KEY_TTL_MS`.
   * Default: none.
   */
  idempotencyKey?: string | undefined;
  /**
   * Aborting it before the commit undoes the write, which then rejects with `signal.reason`;
   * aborting it later has no effect. Default: none.
   */
  signal?: AbortSignal | undefined;
}

/** What a write of something that exists accepts besides. */
export interface RevisionOption {
  /** Refuse with `conflict` unless the stored entry has this revision. Default: any. */
  expectedRevision?: number | undefined;
}

/** What an update of a note or file accepts besides what it changes. */
export interface UpdateOptions extends WriteOptions, RevisionOption {}

/**
 * An update that holds what belongs into its options would be carried out without them.
 *
 * @throws {StoreError} `invalid-argument`
 */
export function checkNoOptions(update: object): void {
  for (const name of ['expectedRevision', 'idempotencyKey', 'signal']) {
    if (!Object.hasOwn(update, name)) continue;
    throw new StoreError('invalid-argument', `${name} is an option: pass it after the update.`);
  }
}
