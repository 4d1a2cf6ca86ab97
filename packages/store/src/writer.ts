import type { StoreNames } from 'idb';
import type { Database, Transaction } from './database.js';
import { type Call, fingerprintOf } from './fingerprint.js';
import { checkIdempotencyKey } from './limits.js';
import { recall, remember } from './once.js';
import type { OnceResult, StoreSchema } from './schema.js';
import type { StoreChange, StoreChanges } from './store-changes.js';
import type { WriteOptions } from './write-options.js';

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
  ): Promise<Written<Done>> {
    const written =
      idempotencyKey === undefined
        ? await this.#always(stores, signal, body)
        : await this.#once(stores, call, idempotencyKey, signal, body);
    if (written.effect) this.#changes.announce(written.effect.changes);
    return written;
  }

  async #always<Names extends Name[], Done extends Effect>(
    stores: Names,
    signal: AbortSignal | undefined,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
  ): Promise<Written<Done>> {
    const effect = await this.#database.run(stores, 'readwrite', body, signal);
    return { result: effect.result, effect };
  }

  async #once<Names extends Name[], Done extends Effect>(
    stores: Names,
    call: Call,
    idempotencyKey: string,
    signal: AbortSignal | undefined,
    body: (transaction: Transaction<Names, 'readwrite'>) => Promise<Done>,
  ): Promise<Written<Done>> {
    checkIdempotencyKey(idempotencyKey);
    const holder = this.#holder();
    // Neither has a line break: no two holders share a key.
    const key = holder === '' ? idempotencyKey : `${holder}\n${idempotencyKey}`;
    // Before the transaction: awaiting anything but its requests would commit it half-way.
    const fingerprint = await fingerprintOf(call, signal);
    // Only here is the object store of the keys in the scope: writes that share none of their
    // object stores do not wait for each other.
    return await this.#database.run<[...Names, 'once'], 'readwrite', Written<Done>>(
      [...stores, 'once'],
      'readwrite',
      async (transaction) => {
        const once = transaction.objectStore('once');
        const earlier = await recall(once, key, fingerprint, idempotencyKey);
        if (earlier) return { result: earlier.result };
        const effect = await body(transaction);
        await remember(once, { key, fingerprint, result: effect.result });
        return { result: effect.result, effect };
      },
      signal,
    );
  }
}
