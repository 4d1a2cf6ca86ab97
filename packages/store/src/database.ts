import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { migrate, SCHEMA_VERSION, type StoreSchema } from './schema.js';
import { StoreError, storeErrorOf, toStoreError } from './store-error.js';

type Name = StoreNames<StoreSchema>;

/** A transaction over the given stores. */
export type Transaction<Names extends Name[], Mode extends IDBTransactionMode> = IDBPTransaction<
  StoreSchema,
  Names,
  Mode
>;

/** How long an open waits for other tabs to let go of the database. */
const BLOCKED_TIMEOUT_MS = 4_000;

/**
 * The connection to one IndexedDB database: opens it, reopens it when the browser closed it, and
 * steps aside when another tab upgrades it.
 */
export class Database {
  readonly name: string;
  #connection: Promise<IDBPDatabase<StoreSchema>> | undefined;
  /** Set once the database can no longer be used from here, and why. */
  #ended: StoreError | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Opens the connection now, so that errors show at the start. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /**
   * Runs `body` in one transaction. A write resolves after `complete`, with the data handed to the
   * operating system (`durability: 'strict'`), a read as soon as `body` has; either rejects with a
   * {@link StoreError} after an abort, with nothing written.
   *
   * `body` may await only requests of this transaction: anything else lets it commit half-way.
   *
   * @param signal Aborting it before the commit aborts the transaction, and the call rejects with
   *   `signal.reason`; aborting it later has no effect.
   */
  async run<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    signal?.throwIfAborted();
    const transaction = await this.#begin(stores, mode);
    // Whatever fails first, this promise is looked at: an unhandled rejection would hide the cause.
    const completion = transaction.done.then(
      () => undefined,
      (error: unknown) => toStoreError(error),
    );
    let cancelled = false;
    const cancel = (): void => {
      cancelled = abortIfActive(transaction);
    };
    signal?.addEventListener('abort', cancel);
    // It may have been aborted while the connection was being opened.
    if (signal?.aborted) cancel();
    try {
      const value = await body(transaction);
      // What was read is true already; only a write has to wait for `complete`.
      const failure = mode === 'readwrite' ? await completion : undefined;
      if (failure) throw failure;
      return value;
    } catch (error) {
      abortIfActive(transaction);
      const failure = await completion;
      if (cancelled) signal?.throwIfAborted();
      throw error instanceof StoreError ? error : (failure ?? toStoreError(error));
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Ends the connection; later calls reject with `closed`. Open transactions still complete. */
  close(): void {
    this.#end(storeErrorOf('closed'));
  }

  async #begin<Names extends Name[], Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
  ): Promise<Transaction<Names, Mode>> {
    const start = async (connection: Promise<IDBPDatabase<StoreSchema>>) =>
      (await connection).transaction(stores, mode, { durability: 'strict' });
    const connection = this.#connect();
    try {
      return await start(connection);
    } catch (error) {
      // The browser closed the connection a moment ago and its event is still on the way.
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) {
        throw toStoreError(error);
      }
      // Unless another call was faster and has opened it again.
      if (this.#connection === connection) this.#connection = undefined;
      return await start(this.#connect()).catch((again: unknown) => {
        throw toStoreError(again);
      });
    }
  }

  #connect(): Promise<IDBPDatabase<StoreSchema>> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#connection ??= this.#openOnce();
    return this.#connection;
  }

  async #openOnce(): Promise<IDBPDatabase<StoreSchema>> {
    let giveUp!: () => void;
    const blocked = new Promise<never>((_resolve, reject) => {
      giveUp = () => reject(storeErrorOf('blocked'));
    });
    const timer = setTimeout(giveUp, BLOCKED_TIMEOUT_MS);
    const opening = this.#openDatabase(() => clearTimeout(timer));
    try {
      return await Promise.race([opening, blocked]);
    } catch (error) {
      this.#connection = undefined;
      // An open that comes through later must not hold the database against others.
      void opening.then(
        (late) => late.close(),
        () => undefined,
      );
      throw toStoreError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param onUpgrade From here on nobody blocks; migrating may take its time. */
  async #openDatabase(onUpgrade: () => void): Promise<IDBPDatabase<StoreSchema>> {
    if (typeof indexedDB === 'undefined') throw storeErrorOf('unavailable');
    let cause: unknown;
    // `blocked` is answered by the timer, which also ends a wait that the event does not announce:
    // behind another tab's blocked deletion.
    const opening = openDB<StoreSchema>(this.name, SCHEMA_VERSION, {
      upgrade: (database, oldVersion, _newVersion, transaction) => {
        onUpgrade();
        migrate(database, oldVersion, transaction).catch((error: unknown) => {
          cause = error;
          abortIfActive(transaction);
        });
        // Why an upgrade failed shows only on its transaction: the request just says `AbortError`.
        transaction.done.catch((error: unknown) => {
          cause ??= error;
        });
      },
      blocking: (_current, newVersion, event) => this.#stepAside(newVersion, event),
      terminated: () => {
        this.#connection = undefined;
      },
    });
    return await opening.catch((error: unknown) => {
      throw cause ?? error;
    });
  }

  /** Another tab upgrades or deletes the database: it waits until every connection is closed. */
  #stepAside(newVersion: number | null, event: IDBVersionChangeEvent): void {
    (event.target as IDBDatabase).close();
    this.#connection = undefined;
    if (newVersion === null) return;
    this.#ended ??= storeErrorOf('newer-version');
  }

  #end(reason: StoreError): void {
    if (this.#ended) return;
    this.#ended = reason;
    void this.#connection?.then(
      (connection) => connection.close(),
      () => undefined,
    );
    this.#connection = undefined;
  }
}

/** Returns whether it could: a transaction may have ended already, by its failure or by completing. */
function abortIfActive(transaction: { abort(): void }): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    return false;
  }
}
