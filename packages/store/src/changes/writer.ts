import type { StoreNames } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { Database, RunOptions } from '../database/database.js';
import { type Call, fingerprintOf } from './fingerprint.js';
import { checkIdempotencyKey } from '../schema/limits.js';
import { type Journal, JOURNAL, readHead, recordChanges } from './journal.js';
import { findEarlierWrite, type IdempotencyKeyStore, saveOutcome } from './idempotency-keys.js';
import { type ChangeRecorder, HISTORY } from '../history/record-change.js';
import type { Head, OnceRecord, OnceResult, StoreChange, StoreSchema } from '../schema/schema.js';
import type { StoreChanges } from './store-changes.js';
import type { StoreScope } from './store-scope.js';
import { StoreError } from '../errors/store-error.js';
import type { WriteOptions } from '../schema/write-options.js';

type Name = StoreNames<StoreSchema>;

/** The return value of the body of a write. */
export interface Effect {
  /** The result, which retries also get. */
  result: OnceResult;
  /** The changes to record and announce. If it is empty, no note and no file has changed. */
  changes: readonly StoreChange[];
}

/** The outcome of a write. */
export interface WriteOutcome<Done extends Effect> {
  /** The result of this write. A retry has the result of the earlier write. */
  result: Done['result'];
  /** The effect; absent for a retry, which writes nothing. */
  effect?: Done;
}

/** The outcome of a write, with the head of the database after the commit. */
interface CommittedOutcome<Done extends Effect> extends WriteOutcome<Done> {
  head?: Head;
}

/** Options of a write that the caller does not set. */
interface WritingOptions {
  /** The timeout in milliseconds. Default: 10 s. */
  timeoutMs?: number;
  /** Whether it frees space, and may use the reserved space for that. Default: no. */
  freesSpace?: boolean;
  /** Whether the write takes long, and waits for its turn among other such writes. Default: no. */
  isLarge?: boolean;
}

type WriterScope = Pick<StoreScope, 'holder' | 'author' | 'recorderOf' | 'isRehearsal'>;

type Find = (
  body: (transaction: Transaction<['once'], 'readonly'>) => Promise<OnceRecord | undefined>,
) => Promise<OnceRecord | undefined>;

/**
 * The object stores of a write. Without an idempotency key, its transaction does not have `once`; without
 * a client, not those of the history.
 */
type AllNames<Names extends Name[]> = [...Names, ...typeof JOURNAL, 'once', ...typeof HISTORY];

/** A write that may be tried several times. */
interface Attempt {
  call: Call;
  idempotencyKey: string | undefined;
  options: RunOptions;
  /** Keeps the change in the history; absent without a client. */
  recorder: ChangeRecorder | undefined;
}

/** Runs writes: each in one transaction, once per idempotency key, and announced after the commit. */
export class Writer {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #scope: () => WriterScope;

  /**
   * @param scope The scope of the writer. Its `holder`, the owner of the idempotency keys, contains no line
   *   break; the page's own keys have no holder.
   */
  constructor(database: Database, changes: StoreChanges, scope: () => WriterScope) {
    this.#database = database;
    this.#changes = changes;
    this.#scope = scope;
  }

  /** Whether each write is refused once its body has checked everything: see `StoreView.rehearse`. */
  get isRehearsal(): boolean {
    return this.#scope().isRehearsal ?? false;
  }

  /**
   * Resolves once the write is on disk.
   *
   * @param stores The object stores that `body` needs. It may await only requests of the transaction.
   * @param call The operation and its arguments, to recognize a retry.
   */
  async write<Names extends Name[], Done extends Effect>(
    stores: Names,
    call: Call,
    { idempotencyKey, signal }: WriteOptions,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
    writing: WritingOptions = {},
  ): Promise<WriteOutcome<Done>> {
    const options = { signal, ...writing };
    const attempt = { call, idempotencyKey, options };
    let recorder = this.isRehearsal ? undefined : this.#scope().recorderOf?.(call.args);
    const run = async () => {
      const tried = { ...attempt, recorder };
      // A full disk must not prevent a deletion, so the change is not kept in the history then.
      if (writing.freesSpace) recorder = undefined;
      return await this.#run(stores, tried, body).catch((error: unknown) => {
        // Data that the write itself does not read may be damaged.
        const isDamaged = error instanceof StoreError && error.code === 'unreadable';
        if (!tried.recorder || !isDamaged) throw error;
        return this.#run(stores, { ...attempt, recorder: undefined }, body);
      });
    };
    const { reservedSpace } = this.#database;
    const { head, ...written } = writing.freesSpace
      ? await reservedSpace.runDeletion(run, signal)
      : await run();
    const { author = null } = this.#scope();
    if (written.effect && head) this.#changes.announce(head, written.effect.changes, author);
    return written;
  }

  /**
   * The result of an earlier write with the same key; undefined if none exists.
   *
   * @param callOf Called only if the key is known.
   * @throws {StoreError} `conflict` if the key was used for another write.
   */
  async findEarlier(
    { idempotencyKey, signal }: WriteOptions,
    callOf: () => Promise<Call>,
  ): Promise<OnceResult | undefined> {
    if (idempotencyKey === undefined) return undefined;
    checkIdempotencyKey(idempotencyKey);
    const key = this.#qualifyKey(idempotencyKey);
    const find: Find = (body) => this.#database.run(['once'], 'readonly', body, { signal });
    const known = await find((transaction) => transaction.objectStore('once').get(key));
    if (!known) return undefined;
    const fingerprint = await fingerprintOf(await callOf());
    const earlier = await find((transaction) =>
      findEarlierWrite(transaction.objectStore('once'), key, fingerprint, idempotencyKey),
    );
    return earlier?.result;
  }

  async #run<Names extends Name[], Done extends Effect>(
    stores: Names,
    { call, idempotencyKey, options, recorder }: Attempt,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
  ): Promise<CommittedOutcome<Done>> {
    // Before the transaction: awaiting anything but its requests would commit it too early.
    const once =
      idempotencyKey === undefined ? undefined : await this.#onceOf(idempotencyKey, call);
    const names = [...stores, ...JOURNAL, ...(once ? ['once'] : []), ...(recorder ? HISTORY : [])];
    return await this.#database.run<AllNames<Names>, 'readwrite', CommittedOutcome<Done>>(
      names as AllNames<Names>,
      // Each body checks everything before its first write, which fails in a read-only transaction.
      (this.isRehearsal ? 'readonly' : 'readwrite') as 'readwrite',
      async (transaction) => {
        const journal = journalOf(transaction);
        if (once) {
          const { key, fingerprint } = once;
          const earlier = await findEarlierWrite(journal.once, key, fingerprint, idempotencyKey);
          if (earlier) return { result: earlier.result };
        }
        const replaced = await recorder?.readBefore(transaction);
        // In parallel with the requests of the body, so that reading the head takes no extra time.
        const [before, effect] = await Promise.all([
          readHead(journal.heads),
          body(transactionOf(transaction)),
        ]);
        const { result, changes } = effect;
        if (once) await saveOutcome(journal.once, { ...once, result });
        if (changes.length === 0) return { result, effect };
        if (recorder && replaced) await recorder.record(transaction, replaced, effect);
        return { result, effect, head: recordChanges(journal, before, changes) };
      },
      options,
    );
  }

  async #onceOf(idempotencyKey: string, call: Call): Promise<{ key: string; fingerprint: string }> {
    checkIdempotencyKey(idempotencyKey);
    return { key: this.#qualifyKey(idempotencyKey), fingerprint: await fingerprintOf(call) };
  }

  #qualifyKey(idempotencyKey: string): string {
    const { holder = '' } = this.#scope();
    // Neither has a line break, so two holders never share a key.
    return holder === '' ? idempotencyKey : `${holder}\n${idempotencyKey}`;
  }
}

/** The object stores of the journal. The transaction has them, but its generic type does not. */
function journalOf(transaction: unknown): Journal & { once: IdempotencyKeyStore } {
  const known = transaction as Transaction<AllNames<[]>, 'readwrite'>;
  return {
    heads: known.objectStore('head'),
    log: known.objectStore('log'),
    unindexed: known.objectStore('unindexed'),
    unsynced: known.objectStore('unsynced'),
    get once() {
      return known.objectStore('once');
    },
  };
}

/** The transaction as one with fewer object stores, which its generic type does not allow. */
function transactionOf<Names extends Name[]>(
  transaction: unknown,
): Transaction<Names, 'readwrite'> {
  return transaction as Transaction<Names, 'readwrite'>;
}
