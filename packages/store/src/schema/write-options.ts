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
  idempotencyKey?: string;
  /**
   * Aborting it before the commit undoes the write, which then rejects with `signal.reason`;
   * aborting it later has no effect. Default: none.
   */
  signal?: AbortSignal;
}

/** What a write of something that exists accepts besides. */
export interface RevisionOption {
  /** Refuse with `conflict` unless the stored entry has this revision. Default: any. */
  expectedRevision?: number;
}
