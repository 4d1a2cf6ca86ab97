import type { StoreNames } from 'idb';
import { canReserveDisk, DiskReserve } from './disk-reserve.js';
import { ReservedSpace } from './reserved-space.js';
import { beginTransaction, type Connection, type Transaction } from './begin-transaction.js';
import { ConnectionLoss } from './connection-loss.js';
import { BrowserLog, CLOSE_EVENT_MS } from './browser-log.js';
import { HeldBlobs } from './held-blobs.js';
import { beginFailure, isConnectionLoss, isLostConnection } from './connection-errors.js';
import { openDatabase } from './open-database.js';
import { isNoRoomOfBrowser } from './opening-failure.js';
import type { OpeningListener } from './opening-watch.js';
import type { Head, StoreSchema } from '../schema/schema.js';
import { abortIfActive, runTransaction } from './run-transaction.js';
import {
  isDiskError,
  StoreError,
  storeErrorOf,
  toStoreError,
  withQuota,
} from '../errors/store-error.js';
import { BlobSupport } from './stored-bytes.js';
import type { UnreadableEntry } from '../schema/unreadable-entry.js';
import { beginInTurn, listenToEnd, type TurnOptions } from './transaction-turns.js';
import { waitForClose } from './wait-for-close.js';
import { Watchdog } from '../errors/watchdog.js';
import { WriteFailures } from './write-failures.js';
import { WriteQueue } from './write-queue.js';

type Name = StoreNames<StoreSchema>;

/** The timeout of a transaction, including its wait for other tabs. */
const TRANSACTION_TIMEOUT_MS = 10_000;

/** The time after which an open connection proves that the database works. */
const LASTING_MS = 1_000;

/** Options of a transaction. */
export interface RunOptions {
  /**
   * Aborting it before the commit aborts the transaction, and the call rejects with
   * `signal.reason`; aborting it later has no effect. Default: none.
   */
  signal?: AbortSignal | undefined;
  /** The timeout in milliseconds. Default: 10 s. */
  timeoutMs?: number;
  /** Whether a write frees space. Only such writes are allowed on a full disk. Default: no. */
  freesSpace?: boolean;
  /**
   * Whether a write takes long, and waits for its turn among other such writes: see `inLargeTurn`. Default:
   * no.
   */
  isLarge?: boolean;
}

/** Receives the events of the database. */
export interface DatabaseEvents {
  /**
   * A connection was opened, the first one or a later one.
   *
   * @param isDamaged Whether the database or its head was damaged and made again.
   */
  opened(head: Head, isDamaged: boolean): void;
  /** A newer version of this software has upgraded the database: every call fails from now on. */
  newerVersion(): void;
  /** Called with the reason why an open is slow. */
  opening?: OpeningListener | undefined;
  /** Called with entries that exist and cannot be read. Each is reported once until `close`. */
  unreadable?(entries: readonly UnreadableEntry[]): void;
}

/** An open connection. */
interface Opened {
  connection: Connection;
  /** The id of the database. */
  id: string;
  loss: ConnectionLoss;
}

/** A transaction that has begun. */
interface Begun<Names extends Name[], Mode extends 'readonly' | 'readwrite'> {
  transaction: Transaction<Names, Mode>;
  opened: Opened;
  /** Releases its turn early. Its end does this automatically. */
  release: () => void;
  /** The time that remains for it, in milliseconds. */
  leftMs: number;
}

/**
 * The connection to one IndexedDB database. Opens it again after the browser has closed it, and closes
 * it when another tab upgrades the database.
 */
export class Database {
  readonly name: string;
  readonly blobs: BlobSupport;
  /** The space that is reserved for deletions. */
  readonly reservedSpace: ReservedSpace;
  readonly heldBlobs = new HeldBlobs();
  readonly #diskReserve = new DiskReserve();
  /** Resolves after {@link close}, once the browser has closed the connection. */
  readonly closed: Promise<void>;
  #resolveClosed!: () => void;
  readonly #events: DatabaseEvents | undefined;
  readonly #writeQueue = new WriteQueue();
  /** The transactions that have not ended, also those whose result is known. */
  readonly #unended = new Set<Promise<void>>();
  #connection: Promise<Opened> | undefined;
  /** The connection that the opening has resulted in. */
  #current: Connection | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;
  #isClosing = false;
  /** The reason why the database can no longer be used from here; `undefined` while it can. */
  #endReason: StoreError | undefined;
  readonly #unreadable = new Set<string>();
  /** The id of the database that the last connection was to. */
  #id: string | undefined;
  readonly #browserLog: BrowserLog;
  readonly #failures: WriteFailures;

  /** @param pieceBytes The most bytes of a file in one record. Default: 16 MiB. */
  constructor(name: string, events?: DatabaseEvents, pieceBytes?: number) {
    this.name = name;
    this.#events = events;
    this.blobs = new BlobSupport(this, pieceBytes);
    this.reservedSpace = new ReservedSpace(this, this.blobs);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#browserLog = new BrowserLog(name, () => this.#writeQueue.rejectWaiting());
    this.#failures = new WriteFailures(this.#browserLog, async () => (await this.#connect()).id);
  }

  /** Opens the connection now, so that errors show at the start. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /**
   * Runs `body` in one transaction. A write resolves after `complete`, with the data handed to the
   * operating system (`durability: 'strict'`), a read as soon as `body` has. After an abort both reject
   * with a {@link StoreError}, and nothing is written. If the connection is lost, a read is retried once
   * on a new one; a write is retried only if its transaction could not begin.
   *
   * `body` may await only requests of this transaction: anything else commits it too early.
   *
   * @throws {StoreError} `timeout` if the transaction does not settle in time. It is aborted then; a
   *   write that was being committed at that moment may have been stored.
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
    const run = () => this.#runOnce(stores, mode, body, options);
    const needsRoom = mode === 'readwrite' && !options.freesSpace && canReserveDisk();
    const once = needsRoom ? () => this.#diskReserve.ensureReserved().then(run) : run;
    try {
      if (mode === 'readonly') return await once();
      return options.isLarge
        ? await this.#writeQueue.runLarge(this.name, signal, once)
        : await this.#writeQueue.run(signal, once);
    } catch (error) {
      if (mode === 'readonly' && isConnectionLoss(error) && !signal?.aborted && !this.#endReason) {
        return await once();
      }
      throw error instanceof StoreError ? await withQuota(error) : error;
    }
  }

  /** Rejects if the database cannot be read at all. */
  async checkReadable(): Promise<void> {
    await this.run(['head'], 'readonly', (transaction) => transaction.objectStore('head').count());
  }

  /** Reports unreadable entries. Each is reported once, although every read of a list finds it again. */
  reportUnreadable(entries: readonly UnreadableEntry[]): void {
    const isNew = ({ kind, key }: UnreadableEntry): boolean => {
      const known = this.#unreadable.size;
      return this.#unreadable.add(`${kind} ${key}`).size > known;
    };
    const unknown = entries.filter(isNew);
    if (unknown.length > 0) this.#events?.unreadable?.(unknown);
  }

  /** Closes the connection; later calls reject with `closed`. Earlier calls still complete. */
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
    const begun = await this.#begin(stores, mode, { timeoutMs, signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      // Every other write in the queue would time out, too.
      if (error instanceof StoreError && error.code === 'timeout') this.#writeQueue.rejectWaiting();
      throw error;
    });
    const { transaction, opened, release, leftMs } = begun;
    const ended = new Promise<void>((resolve) => listenToEnd(transaction, resolve));
    this.#unended.add(ended);
    void ended.then(() => this.#unended.delete(ended));
    const settling = runTransaction(transaction, mode, body, signal);
    const ontimeout = (): void => {
      abortIfActive(transaction);
      release();
      this.#drop(opened.connection);
      this.#writeQueue.rejectWaiting();
    };
    try {
      return await this.#waitFor(opened, settling, leftMs, ontimeout, mode);
    } catch (error) {
      // If the browser has closed the connection, it may not report the end of the transaction.
      release();
      if (mode === 'readwrite') throw await this.#failures.ofTransaction(error, opened);
      // Another connection may succeed.
      if (isConnectionLoss(error)) this.#drop(opened.connection);
      throw error;
    }
  }

  /** Waits for a transaction to settle. Rejects after the timeout or the loss of the connection. */
  async #waitFor<Value>(
    { loss: { pending } }: Opened,
    settling: Promise<Value>,
    timeoutMs: number,
    ontimeout: () => void,
    mode: 'readonly' | 'readwrite',
  ): Promise<Value> {
    const watchdog = new Watchdog(timeoutMs, ontimeout, mode);
    pending.add(watchdog);
    try {
      return await Promise.race([settling, watchdog.timeout]);
    } finally {
      watchdog.stop();
      pending.delete(watchdog);
    }
  }

  /**
   * Rotates the log before a write if the log may be truncated.
   *
   * @throws {StoreError} if this fails, and the write would most likely be lost.
   */
  async #checkLog(opened: Opened): Promise<void> {
    try {
      await this.#browserLog.ensureRotated();
    } catch (error) {
      // Deletions must stay possible at the quota limit. The next write tries again.
      if (this.#browserLog.wasFull) return;
      const failure = await this.#failures.ofWrite(toStoreError(error), opened);
      if (this.#browserLog.isTruncated || isDiskError(failure)) throw failure;
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
      // Begin only after the open, because it takes a turn, too.
      const begun = await beginInTurn(this.name, mode, options, begin);
      const leftMs = Math.max(options.timeoutMs - (performance.now() - startedAt), 0);
      return { ...begun, opened, leftMs };
    };
    const opening = this.#connect();
    try {
      return await start(opening);
    } catch (error) {
      // The browser closed the connection a moment ago and its event has not arrived yet. The reason of
      // a signal may look the same.
      if (options.signal?.aborted || !isLostConnection(error)) throw beginFailure(error, mode);
      this.#browserLog.recordLoss();
      // Unless another call has already opened the next connection.
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
      // Unless another open has replaced this one.
      opening.catch(() => {
        if (this.#connection === opening) this.#connection = undefined;
      });
    }
    return this.#connection;
  }

  /** Opens another connection at once, so that a loss of data is reported soon. */
  #reconnect(): void {
    this.#connection = undefined;
    this.#connect().catch(() => undefined);
  }

  /** Closes a connection that does not work, so that the next call opens another one. */
  #drop(dead: Connection): void {
    dead.close();
    this.#browserLog.recordDrop();
    if (this.#current !== dead) return;
    this.#connection = undefined;
    this.#current = undefined;
  }

  async #open(): Promise<Opened> {
    try {
      return await this.#openWithRoom();
    } catch (error) {
      // After the data was cleared or the disk was full, the browser may for a moment close what it has just
      // opened, or find no room.
      if (this.#endReason || !(isConnectionLoss(error) || isNoRoomOfBrowser(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, CLOSE_EVENT_MS));
      return await this.#openWithRoom();
    }
  }

  async #openWithRoom(): Promise<Opened> {
    return await this.#diskReserve.openWithRoom(async (room) => {
      this.#browserLog.recordOpening(room);
      // The open comes first, because the browser reports lost data only to the first open.
      const opening = this.#openNow();
      // The rotation runs at the same time because an upgrade writes. It runs even if nothing else will be
      // written, because an open writes some bytes. If it fails, the next write tries again.
      const rotation = this.#browserLog.ensureRotated().catch(() => undefined);
      const opened = await opening;
      // Wait for the rotation before another tab may take the space.
      if (room === 'released') await rotation;
      return opened;
    });
  }

  async #openNow(): Promise<Opened> {
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
    // If each new connection is lost at once, only the next call opens another.
    if (performance.now() - this.#openedAt > LASTING_MS) this.#reconnect();
    else this.#connection = undefined;
  }

  /** Closes the connection when another tab upgrades or deletes the database: that tab waits for it. */
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

  /** Resolves once the browser has closed the connection. Never rejects. */
  async #end(reason: StoreError): Promise<void> {
    this.#endReason ??= reason;
    const opening = this.#connection;
    this.#connection = undefined;
    try {
      const opened = await opening;
      opened?.connection.close();
      // Without a connection, this would open the database.
      if (opened) await waitForClose([...this.#unended]);
    } catch {
      // The connection could not be opened.
    }
    this.#diskReserve.close();
  }
}
