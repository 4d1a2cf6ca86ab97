import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';
import { Ballast } from './ballast.js';
import { Breakdown } from './breakdown.js';
import { readHead } from './journal.js';
import { fillLog } from './log-renewal.js';
import { type Head, migrate, SCHEMA_VERSION, type StoreSchema } from './schema.js';
import { diskFull, StoreError, storeErrorOf, toStoreError, withQuota } from './store-error.js';
import type { UnreadableEntry } from './unreadable-entry.js';
import { Watchdog } from './watchdog.js';
import { WriteLine } from './write-line.js';

type Name = StoreNames<StoreSchema>;
type Connection = IDBPDatabase<StoreSchema>;

/** A transaction over the given stores. */
export type Transaction<Names extends Name[], Mode extends IDBTransactionMode> = IDBPTransaction<
  StoreSchema,
  Names,
  Mode
>;

/** How long an open waits for other tabs to let go of the database. */
const BLOCKED_TIMEOUT_MS = 4_000;

/** How long a transaction may take, the wait for those of other tabs included. */
const TRANSACTION_TIMEOUT_MS = 10_000;

/** The same for the one that has the browser begin another log. */
const RENEWAL_TIMEOUT_MS = 5_000;

/** The browser closes a connection that broke down right after the transaction that showed it. */
const CLOSE_EVENT_MS = 500;

/** What a transaction may be told besides its work. */
export interface RunOptions {
  /**
   * Aborting it before the commit aborts the transaction, and the call rejects with
   * `signal.reason`; aborting it later has no effect. Default: none.
   */
  signal?: AbortSignal | undefined;
  /** How long it may take. Default: 10 s. */
  timeoutMs?: number;
}

/** Who hears of what happens to the connection. */
export interface DatabaseEvents {
  /**
   * A connection was opened, the first or another.
   *
   * @param isDamaged Whether the browser says that it had to make the database anew.
   */
  opened(head: Head, isDamaged: boolean): void;
  /** A newer version of this software has taken the database over: every call fails from now on. */
  newerVersion(): void;
  /** Entries are there and cannot be read. Told once of each, as long as this is open. */
  unreadable?(entries: readonly UnreadableEntry[]): void;
}

/** What a read may fail with because its connection was lost: another one may do it. */
const LOST: readonly string[] = ['AbortError', 'InvalidStateError', 'UnknownError'];

/** A connection, and what is known of it. */
interface Opened {
  connection: Connection;
  /** Which database it is. */
  id: string;
  breakdown: Breakdown;
}

/**
 * The connection to one IndexedDB database: opens it, reopens it when the browser closed it, and
 * steps aside when another tab upgrades it.
 */
export class Database {
  readonly name: string;
  /** The room that is kept for deletions. */
  readonly ballast = new Ballast(this);
  readonly #events: DatabaseEvents | undefined;
  readonly #line = new WriteLine();
  #connection: Promise<Opened> | undefined;
  /** Set once the database can no longer be used from here, and why. */
  #ended: StoreError | undefined;
  readonly #unreadable = new Set<string>();
  /** The database of the last connection. */
  #id: string | undefined;
  /** Whether its log may be broken off: see log-renewal.ts. */
  #isLogInDoubt = false;
  #renewal: Promise<void> | undefined;
  /** When a write last failed for want of room. */
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, events?: DatabaseEvents) {
    this.name = name;
    this.#events = events;
  }

  /** Opens the connection now, so that errors show at the start. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /**
   * Runs `body` in one transaction. A write resolves after `complete`, with the data handed to the
   * operating system (`durability: 'strict'`), a read as soon as `body` has; either rejects with a
   * {@link StoreError} after an abort, with nothing written. A read whose connection is lost runs
   * once more on another; a write does so only where its transaction could not begin.
   *
   * `body` may await only requests of this transaction: anything else lets it commit half-way.
   *
   * @throws {StoreError} `timeout` when it does not settle in time. It is aborted then; a write that
   *   was being committed at that moment may have been kept.
   */
  async run<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
    options: RunOptions = {},
  ): Promise<Value> {
    const { signal } = options;
    signal?.throwIfAborted();
    const once = () => this.#runOnce(stores, mode, body, options);
    try {
      return mode === 'readwrite' ? await this.#line.run(signal, once) : await once();
    } catch (error) {
      if (mode === 'readonly' && isLost(error) && !signal?.aborted && !this.#ended) {
        return await once();
      }
      throw error instanceof StoreError ? await withQuota(error) : error;
    }
  }

  /** Tells of entries that cannot be read, each once: a list meets them again and again. */
  reportUnreadable(entries: readonly UnreadableEntry[]): void {
    const isNew = ({ kind, key }: UnreadableEntry): boolean => {
      const known = this.#unreadable.size;
      return this.#unreadable.add(`${kind} ${key}`).size > known;
    };
    const unknown = entries.filter(isNew);
    if (unknown.length > 0) this.#events?.unreadable?.(unknown);
  }

  /** Ends the connection; later calls reject with `closed`. Open transactions still complete. */
  close(): void {
    this.ballast.stop();
    this.#end(storeErrorOf('closed'));
  }

  async #runOnce<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
    { signal, timeoutMs = TRANSACTION_TIMEOUT_MS }: RunOptions,
  ): Promise<Value> {
    const { transaction, opened } = await this.#begin(stores, mode);
    const settled = settle(transaction, mode, body, signal);
    return await this.#watch(opened, transaction, settled, timeoutMs).catch(
      async (error: unknown) => {
        throw mode === 'readwrite' ? await this.#writeFailure(error, opened) : error;
      },
    );
  }

  /** Waits for a transaction to settle, as long as that can be. */
  async #watch<Value>(
    { connection, breakdown: { underWay } }: Opened,
    transaction: { abort(): void },
    settled: Promise<Value>,
    timeoutMs: number,
  ): Promise<Value> {
    const watchdog = new Watchdog(timeoutMs, () => {
      abortIfActive(transaction);
      this.#drop(connection);
      this.#line.giveUp();
    });
    underWay.add(watchdog);
    try {
      return await Promise.race([settled, watchdog.late]);
    } finally {
      watchdog.stop();
      underWay.delete(watchdog);
    }
  }

  /** Tells a disk that could not be written to from a database that is not there any more. */
  async #writeFailure(failure: unknown, { id, breakdown }: Opened): Promise<unknown> {
    if (!(failure instanceof StoreError)) return failure;
    if (failure.code === 'quota-exceeded') this.#fullAt = performance.now();
    const { cause } = failure;
    if (failure.code !== 'failed' || !(cause instanceof DOMException)) return failure;
    // In Chromium: the file of a Blob could not be written.
    if (cause.name === 'DataError') return diskFull(cause);
    if (cause.name !== 'UnknownError') return failure;
    this.#fullAt = Number.NEGATIVE_INFINITY;
    const isClosed = breakdown.happened.then(() => true);
    if (!(await Promise.race([isClosed, pause(CLOSE_EVENT_MS)]))) return diskFull(cause);
    try {
      return (await this.#connect()).id === id ? diskFull(cause) : failure;
    } catch (error) {
      return notOpened(error) ?? failure;
    }
  }

  /**
   * Before anything is written where the log may be broken off.
   *
   * @throws {StoreError} when that cannot be done, as long as the disk is full.
   */
  async #renewLog(opened: Opened): Promise<void> {
    this.#renewal ??= this.#fillLog(opened).finally(() => (this.#renewal = undefined));
    await this.#renewal;
  }

  async #fillLog(opened: Opened): Promise<void> {
    const transaction = opened.connection.transaction(LOG_STORES, 'readwrite', STRICT);
    const settled = settle(transaction, 'readwrite', fillLog, undefined);
    try {
      await this.#watch(opened, transaction, settled, RENEWAL_TIMEOUT_MS);
    } catch (error) {
      throw await this.#writeFailure(error, opened);
    }
    this.#isLogInDoubt = false;
  }

  async #begin<Names extends Name[], Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
  ): Promise<{ transaction: Transaction<Names, Mode>; opened: Opened }> {
    const start = async (opening: Promise<Opened>) => {
      const opened = await opening;
      if (mode === 'readwrite' && this.#isLogInDoubt) await this.#renewLog(opened);
      return { transaction: opened.connection.transaction(stores, mode, STRICT), opened };
    };
    const opening = this.#connect();
    try {
      return await start(opening);
    } catch (error) {
      // The browser closed the connection a moment ago and its event is still on the way.
      const isLate = error instanceof DOMException && LOST.includes(error.name);
      if (!isLate) throw beginningFailed(error, mode);
      this.#doubtLog();
      // Unless another call was faster and has opened it again.
      if (this.#connection === opening) this.#connection = undefined;
      return await start(this.#connect()).catch((again: unknown) => {
        throw beginningFailed(again, mode);
      });
    }
  }

  #connect(): Promise<Opened> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#connection ??= this.#openOnce();
    return this.#connection;
  }

  /** Without waiting for a call: what became of the data is to be known soon. */
  #reconnect(): void {
    this.#connection = undefined;
    this.#connect().catch(() => undefined);
  }

  /** A connection that does not answer: the next call opens another. */
  #drop(dead: Connection): void {
    dead.close();
    const current = this.#connection;
    void current?.then(
      ({ connection }) => {
        if (connection === dead && this.#connection === current) this.#connection = undefined;
      },
      () => undefined,
    );
  }

  async #openOnce(): Promise<Opened> {
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
        (late) => late.connection.close(),
        () => undefined,
      );
      throw this.#openingFailed(toStoreError(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param onUpgrade From here on nobody blocks; migrating may take its time. */
  async #openDatabase(onUpgrade: () => void): Promise<Opened> {
    if (typeof indexedDB === 'undefined') throw storeErrorOf('unavailable');
    let cause: unknown;
    let isDamaged = false;
    const breakdown = new Breakdown();
    // `blocked` is answered by the timer, which also ends a wait that the event does not announce:
    // behind another tab's blocked deletion.
    const opening = openDB<StoreSchema>(this.name, SCHEMA_VERSION, {
      upgrade: (database, oldVersion, _newVersion, transaction, event) => {
        onUpgrade();
        isDamaged = wasDamaged(event);
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
      terminated: () => this.#brokeDown(breakdown),
    });
    const connection = await opening.catch((error: unknown) => {
      throw cause ?? error;
    });
    try {
      const head = await readHead(connection.transaction('head').store);
      if (head.id !== this.#id) this.#isLogInDoubt = false;
      this.#id = head.id;
      this.#events?.opened(head, isDamaged);
    } catch (error) {
      connection.close();
      throw error;
    }
    return { connection, id: this.#id, breakdown };
  }

  #brokeDown(breakdown: Breakdown): void {
    this.#doubtLog();
    breakdown.happen();
    this.#reconnect();
  }

  #doubtLog(): void {
    // SQLite, which has no such log, says of a full disk that there is no room. It might have enough
    // for a deletion, and not for what would have to be written before.
    this.#isLogInDoubt = performance.now() - this.#fullAt > CLOSE_EVENT_MS;
  }

  /** Another tab upgrades or deletes the database: it waits until every connection is closed. */
  #stepAside(newVersion: number | null, event: IDBVersionChangeEvent): void {
    (event.target as IDBDatabase).close();
    if (newVersion === null) return this.#reconnect();
    this.#connection = undefined;
    this.#takenOver();
  }

  #openingFailed(error: StoreError): StoreError {
    if (error.code === 'newer-version') this.#takenOver();
    return error;
  }

  #takenOver(): void {
    if (this.#ended) return;
    this.#ended = storeErrorOf('newer-version');
    this.#events?.newerVersion();
  }

  #end(reason: StoreError): void {
    if (this.#ended) return;
    this.#ended = reason;
    void this.#connection?.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
    this.#connection = undefined;
  }
}

const LOG_STORES: ['ballast'] = ['ballast'];

const STRICT: IDBTransactionOptions = { durability: 'strict' };

async function pause(timeMs: number): Promise<false> {
  await new Promise((resolve) => setTimeout(resolve, timeMs));
  return false;
}

async function settle<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
  transaction: Transaction<Names, Mode>,
  mode: Mode,
  body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
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
    throw isCause(error) ? toStoreError(error) : (failure ?? toStoreError(error));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Of a request whose transaction was aborted it is only said that it was. */
function isCause(error: unknown): boolean {
  if (error instanceof StoreError) return true;
  return error instanceof DOMException && error.name !== 'AbortError';
}

function isLost(error: unknown): boolean {
  const cause = error instanceof StoreError && error.code === 'failed' && error.cause;
  return cause instanceof DOMException && LOST.includes(cause.name);
}

/** Why a transaction could not begin. A write that cannot for a full disk says so. */
function beginningFailed(error: unknown, mode: IDBTransactionMode): StoreError {
  return (mode === 'readwrite' && notOpened(error)) || toStoreError(error);
}

/** Where the browser cannot open the database, as on a disk with not a byte left. */
function notOpened(error: unknown): StoreError | undefined {
  if (!(error instanceof StoreError)) return undefined;
  if (error.code === 'quota-exceeded') return error;
  return isLost(error) ? diskFull(error.cause) : undefined;
}

/** Chromium tells by a property of its own that it could not read the database. */
function wasDamaged(event: IDBVersionChangeEvent): boolean {
  return 'dataLoss' in event && event.dataLoss !== 'none';
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
