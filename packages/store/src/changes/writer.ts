import type { StoreNames } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { Database, RunOptions } from '../database/database.js';
import { type Call, fingerprintOf } from './fingerprint.js';
import { checkIdempotencyKey } from '../schema/limits.js';
import { type Journal, JOURNAL, readHead, recordChanges } from './journal.js';
import { findEarlierWrite, type IdempotencyKeyStore, saveOutcome } from './idempotency-keys.js';
import type { Head, OnceRecord, OnceResult, StoreChange, StoreSchema } from '../schema/schema.js';
import type { StoreChanges } from './store-changes.js';
import type { WriteOptions } from '../schema/write-options.js';

type Name = StoreNames<StoreSchema>;

/** What a write did inside its transaction. */
export interface Effect {
  /** What its retries are answered with. */
  result: OnceResult;
  /** What to tell the listeners. */
  changes: readonly StoreChange[];
}

/** What became of a write. */
export interface Written<Done extends Effect> {
  /** What this write did, or the earlier one of which it is a retry. */
  result: Done['result'];
  /** What it did; absent for a retry, which does nothing. */
  effect?: Done;
}

/** The same, with where the database stands since. */
interface Committed<Done extends Effect> extends Written<Done> {
  head?: Head;
}

/** What a write may be told besides what the caller says. */
interface WritingOptions {
  /** How long it may take. Default: 10 s. */
  timeoutMs?: number;
  /** Whether it leaves less than there was, and may take the room that is kept for that. Default: no. */
  freesRoom?: boolean;
}

type Find = (
  body: (transaction: Transaction<['once'], 'readonly'>) => Promise<OnceRecord | undefined>,
) => Promise<OnceRecord | undefined>;

type JournalNames = ['head', 'log', 'unindexed'];

/** Runs writes: each in one transaction, once for each idempotency key, and told once committed. */
export class Writer {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #holder: () => string;

  /** @param holder Whose idempotency keys they are, on one line; '' for the page's own. */
  constructor(database: Database, changes: StoreChanges, holder: () => string) {
    this.#database = database;
    this.#changes = changes;
    this.#holder = holder;
  }

  /**
   * Resolves once the write is on disk.
   *
   * @param stores What `body` needs; it may await only requests of the transaction.
   * @param call What was called with what, to recognise a retry.
   */
  async write<Names extends Name[], Done extends Effect>(
    stores: Names,
    call: Call,
    { idempotencyKey, signal }: WriteOptions,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
    { timeoutMs, freesRoom = false }: WritingOptions = {},
  ): Promise<Written<Done>> {
    const options = timeoutMs === undefined ? { signal } : { signal, timeoutMs };
    const run = () =>
      idempotencyKey === undefined
        ? this.#runWithoutKey(stores, options, body)
        : this.#runWithKey(stores, call, idempotencyKey, options, body);
    const { reservedSpace } = this.#database;
    const { head, ...written } = freesRoom
      ? await reservedSpace.runDeletion(run, signal)
      : await run();
    if (written.effect && head) this.#changes.announce(head, written.effect.changes);
    return written;
  }

  /**
   * What an earlier write with the same key left; undefined where there was none. Only where the key
   * is known is it asked what was called.
   *
   * @throws {StoreError} `conflict` when that was another write.
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

  async #runWithoutKey<Names extends Name[], Done extends Effect>(
    stores: Names,
    options: RunOptions,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
  ): Promise<Committed<Done>> {
    return await this.#database.run<[...Names, ...JournalNames], 'readwrite', Committed<Done>>(
      [...stores, ...JOURNAL],
      'readwrite',
      async (transaction) => {
        return await runAndRecord(journalOf(transaction), () => body(transactionOf(transaction)));
      },
      options,
    );
  }

  async #runWithKey<Names extends Name[], Done extends Effect>(
    stores: Names,
    call: Call,
    idempotencyKey: string,
    options: RunOptions,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
  ): Promise<Committed<Done>> {
    checkIdempotencyKey(idempotencyKey);
    const key = this.#qualifyKey(idempotencyKey);
    // Before the transaction: awaiting anything but its requests would commit it half-way.
    const fingerprint = await fingerprintOf(call);
    return await this.#database.run<
      [...Names, ...JournalNames, 'once'],
      'readwrite',
      Committed<Done>
    >(
      [...stores, ...JOURNAL, 'once'],
      'readwrite',
      async (transaction) => {
        const journal = journalOf(transaction);
        const earlier = await findEarlierWrite(journal.once, key, fingerprint, idempotencyKey);
        if (earlier) return { result: earlier.result };
        const done = await runAndRecord(journal, () => body(transactionOf(transaction)));
        await saveOutcome(journal.once, { key, fingerprint, result: done.result });
        return done;
      },
      options,
    );
  }

  #qualifyKey(idempotencyKey: string): string {
    const holder = this.#holder();
    // Neither has a line break: no two holders share a key.
    return holder === '' ? idempotencyKey : `${holder}\n${idempotencyKey}`;
  }
}

/** Runs the body of a write, and writes down what it did. */
async function runAndRecord<Done extends Effect>(
  journal: Journal,
  body: () => Promise<Done>,
): Promise<Committed<Done>> {
  // Asked for together with what the body asks for, so that it costs no time of its own.
  const [before, effect] = await Promise.all([readHead(journal.heads), body()]);
  return { result: effect.result, effect, head: recordChanges(journal, before, effect.changes) };
}

/** The parts of a transaction that has them: its type, being generic, does not say so. */
function journalOf(transaction: unknown): Journal & { once: IdempotencyKeyStore } {
  const known = transaction as Transaction<[...JournalNames, 'once'], 'readwrite'>;
  return {
    heads: known.objectStore('head'),
    log: known.objectStore('log'),
    unindexed: known.objectStore('unindexed'),
    get once() {
      return known.objectStore('once');
    },
  };
}

/** The same, as one over fewer object stores: its type, being generic, is not seen to be one. */
function transactionOf<Names extends Name[]>(
  transaction: unknown,
): Transaction<Names, 'readwrite'> {
  return transaction as Transaction<Names, 'readwrite'>;
}
