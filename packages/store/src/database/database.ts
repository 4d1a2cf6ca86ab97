import type { StoreNames } from 'idb';
import { ReservedSpace } from './reserved-space.js';
import { beginTransaction, type Connection, type Transaction } from './begin-transaction.js';
import { ConnectionLoss } from './connection-loss.js';
import { BrowserLog, CLOSE_EVENT_MS } from './browser-log.js';
import { HeldBlobs } from './held-blobs.js';
import {
  beginFailure,
  isConnectionLoss,
  isLostConnection,
  openFailure,
} from './connection-errors.js';
import { openDatabase } from './open-database.js';
import type { OpeningListener } from './opening-watch.js';
import type { Head, StoreSchema } from '../schema/schema.js';
import { abortIfActive, runTransaction } from './run-transaction.js';
import {
  diskFull,
  isOfDisk,
  StoreError,
  storeErrorOf,
  toStoreError,
  withQuota,
} from '../errors/store-error.js';
import { BlobSupport } from './stored-bytes.js';
import type { UnreadableEntry } from '../schema/unreadable-entry.js';
import { beginInTurn, type TurnOptions } from './transaction-turns.js';
import { Watchdog } from '../errors/watchdog.js';
import { WriteQueue } from './write-queue.js';

type Name = StoreNames<StoreSchema>;

/** How long a transaction may take, the wait for those of other tabs included. */
const TRANSACTION_TIMEOUT_MS = 10_000;

/** A connection that lives so long is no sign of a database that cannot be used. */
const LASTING_MS = 1_000;

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
  /** What an open that takes long is waiting for. */
  opening?: OpeningListener | undefined;
  /** Entries are there and cannot be read. Told once of each, as long as this is open. */
  unreadable?(entries: readonly UnreadableEntry[]): void;
}

/** A connection, and what is known of it. */
interface Opened {
  connection: Connection;
  /** Which database it is. */
  id: string;
  loss: ConnectionLoss;
}

/** A transaction that has begun. */
interface Begun<Names extends Name[], Mode extends 'readonly' | 'readwrite'> {
  transaction: Transaction<Names, Mode>;
  opened: Opened;
  /** Gives its turn back, which happens by itself at its end. */
  release: () => void;
  /** How much of its time is left, in milliseconds. */
  leftMs: number;
}

/**
 * The connection to one IndexedDB database: opens it, reopens it when the browser closed it, and
 * steps aside when another tab upgrades it.
 */
export class Database {
  readonly name: string;
  readonly blobs = new BlobSupport(this);
  /** The room that is kept for deletions. */
  readonly reservedSpace = new ReservedSpace(this, this.blobs);
  readonly heldBlobs = new HeldBlobs();
  /** Resolves after {@link close}, once the browser has let the connection go. */
  readonly closed: Promise<void>;
  #resolveClosed!: () => void;
  readonly #events: DatabaseEvents | undefined;
  readonly #writeQueue = new WriteQueue();
  #connection: Promise<Opened> | undefined;
  /** What that has led to. */
  #current: Connection | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;
  #isClosing = false;
  /** Set once the database can no longer be used from here, and why. */
  #endReason: StoreError | undefined;
  readonly #unreadable = new Set<string>();
  /** The database of the last connection. */
  #id: string | undefined;
  readonly #browserLog: BrowserLog;

  constructor(name: string, events?: DatabaseEvents) {
    this.name = name;
    this.#events = events;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#browserLog = new BrowserLog(name, () => this.#writeQueue.rejectWaiting());
  }

  /** Opens the connection now, so that errors show at the start. */
  async open(): Promise<void> {
    // First, as it is only told whether data was lost by what is opened first.
    const opening = this.#connect();
    // At the same time, for an upgrade; and also where nothing will be written: to open writes some
    // bytes. If it fails, a write tries again.
    this.#browserLog.ensureRotated().catch(() => undefined);
    await opening;
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
    if (this.#isClosing) throw storeErrorOf('closed');
    const once = () => this.#runOnce(stores, mode, body, options);
    try {
      return mode === 'readwrite' ? await this.#writeQueue.run(signal, once) : await once();
    } catch (error) {
      if (mode === 'readonly' && isConnectionLoss(error) && !signal?.aborted && !this.#endReason) {
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

  /** Ends the connection; later calls reject with `closed`. What was called before still completes. */
  close(): void {
    if (this.#isClosing) return;
    this.reservedSpace.stop();
    this.#isClosing = true;
    const end = (): void => void this.#end(storeErrorOf('closed')).then(this.#resolveClosed);
    if (this.#writeQueue.isEmpty) end();
    else void this.#writeQueue.whenEmpty().then(end);
  }

  async #runOnce<Names extends Name[], Mode extends 'readonly' | 'readwrite', Value>(
    stores: Names,
    mode: Mode,
    body: (transaction: Transaction<Names, Mode>) => Promise<Value>,
    { signal, timeoutMs = TRANSACTION_TIMEOUT_MS }: RunOptions,
  ): Promise<Value> {
    const options = { timeoutMs, signal };
    const begun = await this.#begin(stores, mode, options).catch((error: unknown) => {
      signal?.throwIfAborted();
      // Every other caller in the line would wait for the same.
      if (error instanceof StoreError && error.code === 'timeout') this.#writeQueue.rejectWaiting();
      throw error;
    });
    const { transaction, opened, release, leftMs } = begun;
    const settling = runTransaction(transaction, mode, body, signal);
    const ontimeout = (): void => {
      abortIfActive(transaction);
      release();
      this.#drop(opened.connection);
      this.#writeQueue.rejectWaiting();
    };
    try {
      return await this.#waitFor(opened, settling, leftMs, ontimeout);
    } catch (error) {
      // The browser may report no end of a transaction whose connection it has closed.
      release();
      if (mode === 'readwrite') throw await this.#transactionFailure(error, opened);
      // Another may do it.
      if (isConnectionLoss(error)) this.#drop(opened.connection);
      throw error;
    }
  }

  /** Waits for the browser to settle something, as long as that can be. */
  async #waitFor<Value>(
    { loss: { pending } }: Opened,
    settling: Promise<Value>,
    timeoutMs: number,
    ontimeout: () => void,
  ): Promise<Value> {
    const watchdog = new Watchdog(timeoutMs, ontimeout);
    pending.add(watchdog);
    try {
      return await Promise.race([settling, watchdog.timeout]);
    } finally {
      watchdog.stop();
      pending.delete(watchdog);
    }
  }

  /** In WebKit a full disk aborts a transaction, without another word: nobody here has. */
  async #transactionFailure(failure: unknown, opened: Opened): Promise<unknown> {
    const cause = failure instanceof StoreError && failure.code === 'failed' && failure.cause;
    if (!(cause instanceof DOMException) || cause.name !== 'AbortError')
      return await this.#writeFailure(failure, opened);
    return (await isClosed(opened.loss)) ? failure : diskFull(cause);
  }

  /** Tells a disk that could not be written to from a database that is not there any more. */
  async #writeFailure(failure: unknown, { id, loss }: Opened): Promise<unknown> {
    if (!(failure instanceof StoreError)) return failure;
    if (failure.code === 'quota-exceeded') this.#browserLog.recordFailedWrite('quota');
    const { cause } = failure;
    if (failure.code !== 'failed' || !(cause instanceof DOMException)) return failure;
    // In Chromium: the file of a Blob could not be written.
    if (cause.name === 'DataError') return diskFull(cause);
    if (cause.name !== 'UnknownError') return failure;
    this.#browserLog.recordFailedWrite('unknown');
    if (!(await isClosed(loss))) return diskFull(cause);
    try {
      return (await this.#connect()).id === id ? diskFull(cause) : failure;
    } catch (error) {
      return openFailure(error) ?? failure;
    }
  }

  /**
   * Before anything is written where the log may be broken off.
   *
   * @throws {StoreError} where that failed, and what is written would most likely be lost.
   */
  async #checkLog(opened: Opened): Promise<void> {
    try {
      await this.#browserLog.ensureRotated();
    } catch (error) {
      // Deleting has to go on where there is no room, if it can. The next write tries again.
      if (this.#browserLog.wasFull) return;
      const failure = await this.#writeFailure(toStoreError(error), opened);
      if (this.#browserLog.isTruncated || isOfDisk(failure)) throw failure;
    }
  }

  async #begin<Names extends Name[], Mode extends 'readonly' | 'readwrite'>(
    stores: Names,
    mode: Mode,
    options: TurnOptions,
  ): Promise<Begun<Names, Mode>> {
    const start = async (opening: Promise<Opened>) => {
      const opened = await opening;
      if (mode === 'readwrite') await this.#checkLog(opened);
      const startedAt = performance.now();
      const begin = () => beginTransaction(opened.connection, stores, mode);
      // Not before: to open takes a turn, too.
      const begun = await beginInTurn(this.name, mode, options, begin);
      const leftMs = Math.max(options.timeoutMs - (performance.now() - startedAt), 0);
      return { ...begun, opened, leftMs };
    };
    const opening = this.#connect();
    try {
      return await start(opening);
    } catch (error) {
      // The browser closed the connection a moment ago and its event is still on the way.
      // The reason of a signal may look like that of the browser.
      if (options.signal?.aborted || !isLostConnection(error)) throw beginFailure(error, mode);
      this.#browserLog.recordLoss();
      // Unless another call was faster and has opened it again.
      if (this.#connection === opening) this.#connection = undefined;
      return await start(this.#connect()).catch((again: unknown) => {
        throw beginFailure(again, mode);
      });
    }
  }

  #connect(): Promise<Opened> {
    if (this.#endReason) return Promise.reject(this.#endReason);
    if (!this.#connection) {
      const opening = this.#open();
      this.#connection = opening;
      // Unless another has taken its place meanwhile.
      opening.catch(() => {
        if (this.#connection === opening) this.#connection = undefined;
      });
    }
    return this.#connection;
  }

  /** Without waiting for a call: what became of the data is to be known soon. */
  #reconnect(): void {
    this.#connection = undefined;
    this.#connect().catch(() => undefined);
  }

  /** A connection that is of no use: the next call opens another. */
  #drop(dead: Connection): void {
    dead.close();
    this.#browserLog.recordDrop();
    if (this.#current !== dead) return;
    this.#connection = undefined;
    this.#current = undefined;
  }

  async #open(): Promise<Opened> {
    const loss = new ConnectionLoss();
    try {
      const { connection, head, isDamaged } = await openDatabase(this.name, {
        onversionchange: (older, newVersion) => this.#yieldToUpgrade(older, newVersion),
        onconnectionloss: () => this.#handleLoss(loss),
        onprogress: this.#events?.opening,
      });
      const isAnother = this.#id !== undefined && head.id !== this.#id;
      if (isAnother && !isDamaged) this.#browserLog.reset();
      this.#id = head.id;
      this.#current = connection;
      this.#openedAt = performance.now();
      this.#events?.opened(head, isDamaged);
      return { connection, id: head.id, loss };
    } catch (error) {
      if (error instanceof StoreError && error.code === 'newer-version') this.#endOutdated();
      throw error;
    }
  }

  #handleLoss(loss: ConnectionLoss): void {
    this.#browserLog.recordLoss();
    loss.markLost();
    // One that breaks down at once would go on doing so: then only a call opens another.
    if (performance.now() - this.#openedAt > LASTING_MS) this.#reconnect();
    else this.#connection = undefined;
  }

  /** Another tab upgrades or deletes the database: it waits until every connection is closed. */
  #yieldToUpgrade(connection: IDBDatabase, newVersion: number | null): void {
    connection.close();
    if (newVersion === null) return this.#reconnect();
    this.#connection = undefined;
    this.#endOutdated();
  }

  #endOutdated(): void {
    if (this.#endReason) return;
    this.#endReason = storeErrorOf('newer-version');
    this.#events?.newerVersion();
  }

  /** Resolves once the browser has let the connection go. Never rejects. */
  async #end(reason: StoreError): Promise<void> {
    this.#endReason ??= reason;
    const opening = this.#connection;
    this.#connection = undefined;
    try {
      (await opening)?.connection.close();
      await waitForClose();
    } catch {
      // It could not be opened.
    }
  }
}

/**
 * Resolves once the browser has dealt with what was closed before: it answers in order. WebKit (2.50)
 * may never close a connection whose worker ends a moment later, and the database can neither be deleted
 * nor upgraded then for as long as the page lives. Without the bug this is not needed.
 */
async function waitForClose(): Promise<void> {
  // Firefox before 126 has none.
  const { databases }: { databases?: () => Promise<unknown> } = indexedDB;
  await databases?.call(indexedDB);
}

async function delay(timeMs: number): Promise<false> {
  await new Promise((resolve) => setTimeout(resolve, timeMs));
  return false;
}

/** Whether a connection was closed, or will be in a moment. */
async function isClosed({ occurred }: ConnectionLoss): Promise<boolean> {
  return await Promise.race([occurred.then(() => true), delay(CLOSE_EVENT_MS)]);
}
