import { openDB, type StoreNames } from 'idb';
import { beginTransaction, type Connection, type Transaction } from './begin-transaction.js';
import { newId } from '../schema/ids.js';
import { causeOf, openingFailure, upgradeFailure } from './opening-failure.js';
import { type OpeningListener, OpeningWatch } from './opening-watch.js';
import { type Head, migrate, SCHEMA_VERSION, type StoreSchema } from '../schema/schema.js';
import { abortIfActive } from './run-transaction.js';
import { isHead } from './storage-loss.js';
import { storeErrorOf } from '../errors/store-error.js';
import { beginInTurn } from './transaction-turns.js';
import { Watchdog } from '../errors/watchdog.js';

/** The timeout of the first read of a connection, during which another tab may be writing a lot. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Receives the events of a connection. */
export interface ConnectionListener {
  /**
   * Called when another tab waits for this one, to upgrade the database to a version, or to delete it (null).
   */
  onversionchange(connection: IDBDatabase, newVersion: number | null): void;
  /** Called when the browser has closed the connection. */
  onconnectionloss(): void;
  /** Called with the reason why an open is slow. */
  onprogress?: OpeningListener | undefined;
}

/** A connection that works. */
export interface OpenedDatabase {
  connection: Connection;
  /** The head of the database. */
  head: Head;
  /** Whether the database or its head was damaged and made again. */
  isDamaged: boolean;
}

/**
 * Opens the database. Creates or upgrades it if necessary. An open that makes progress has no time
 * limit.
 *
 * @throws {StoreError} `blocked` if the browser reports that another tab holds an older version open,
 *   and the tab does not close it in 4 s; `timeout` after 30 s without progress; `quota-exceeded` if the
 *   disk is full; `newer-version`, `unavailable`, or what the browser reports.
 */
export async function openDatabase(
  name: string,
  listener: ConnectionListener,
): Promise<OpenedDatabase> {
  if (typeof indexedDB === 'undefined') throw storeErrorOf('unavailable');
  const watch = new OpeningWatch(name, listener.onprogress);
  const opening = connect(name, listener, watch);
  try {
    const { connection, isDamaged } = await Promise.race([opening, watch.timeout]);
    watch.stop();
    return await readState(name, connection, isDamaged);
  } catch (error) {
    // If the open succeeds later, its connection must not block other tabs.
    void opening.then(
      ({ connection }) => connection.close(),
      () => undefined,
    );
    throw await openingFailure(error);
  } finally {
    watch.stop();
  }
}

async function connect(
  name: string,
  listener: ConnectionListener,
  watch: OpeningWatch,
): Promise<{ connection: Connection; isDamaged: boolean }> {
  let isDamaged = false;
  /** The error that caused an upgrade to fail, and so the reason why the browser aborted it. */
  let failure: unknown;
  let abortion: unknown;
  try {
    const connection = await openDB<StoreSchema>(name, SCHEMA_VERSION, {
      blocked: () => watch.startBlockedTimeout(),
      upgrade: (database, oldVersion, _newVersion, transaction, event) => {
        isDamaged = wasDamaged(event);
        const abort = () => abortIfActive(transaction);
        const onprogress = watch.startUpgrade(oldVersion === 0, abort);
        migrate(database, oldVersion, transaction, onprogress).catch((error: unknown) => {
          failure = error;
          abort();
        });
        // Only the transaction has the cause of a failed upgrade: the request has an `AbortError`.
        transaction.done.catch((error: unknown) => {
          abortion = error;
        });
      },
      blocking: (_current, newVersion, event) =>
        listener.onversionchange(event.target as IDBDatabase, newVersion),
      terminated: () => listener.onconnectionloss(),
    });
    return { connection, isDamaged };
  } catch (error) {
    const cause = causeOf([failure, abortion, error]);
    throw abortion === undefined ? cause : upgradeFailure(cause);
  }
}

/** Reads the head of the database. A damaged head is rebuilt. */
async function readState(
  name: string,
  connection: Connection,
  isDamaged: boolean,
): Promise<OpenedDatabase> {
  let end: (() => void) | undefined;
  const watchdog = new Watchdog(ANSWER_TIMEOUT_MS, () => end?.());
  const begin: Begin = async (stores, mode) => {
    const turn = { timeoutMs: ANSWER_TIMEOUT_MS };
    const begun = await beginInTurn(name, mode, turn, () =>
      beginTransaction(connection, stores, mode),
    );
    end = () => {
      abortIfActive(begun.transaction);
      begun.release();
    };
    return begun.transaction;
  };
  const read = async (): Promise<OpenedDatabase> => {
    const head: unknown = await (await begin(['head'], 'readonly')).objectStore('head').get('head');
    if (isHead(head)) return { connection, head, isDamaged };
    return { connection, head: await rebuildHead(begin), isDamaged: true };
  };
  try {
    return await Promise.race([read(), watchdog.timeout]);
  } finally {
    watchdog.stop();
  }
}

/** Begins a transaction when it is its turn. */
type Begin = <Names extends StoreNames<StoreSchema>[], Mode extends 'readonly' | 'readwrite'>(
  stores: Names,
  mode: Mode,
) => Promise<Transaction<Names, Mode>>;

async function rebuildHead(begin: Begin): Promise<Head> {
  const stores: ('notes' | 'files' | 'log' | 'head' | 'sync')[] = [
    'notes',
    'files',
    'log',
    'head',
    'sync',
  ];
  const transaction = await begin(stores, 'readwrite');
  // If one of the first requests fails, no code would handle the rejection at the end of the transaction.
  transaction.done.catch(() => undefined);
  const log = transaction.objectStore('log');
  const [notes, files, last, synchronized] = await Promise.all([
    transaction.objectStore('notes').count(),
    transaction.objectStore('files').count(),
    log.openKeyCursor(null, 'prev'),
    transaction.objectStore('sync').count(),
  ]);
  const sequence = (last?.key ?? 0) + 1;
  // Which revisions were deleted is not known. One that was counted here is at most the number of transactions.
  const formerRevisions = { note: sequence, file: sequence };
  const head: Head = { id: newId(), sequence, notes, files, formerRevisions };
  if (synchronized > 0) head.syncs = true;
  await Promise.all([
    transaction.objectStore('head').put(head, 'head'),
    log.put('everything', head.sequence),
    transaction.done,
  ]);
  return head;
}

/** Whether the browser could not read the database. Chromium reports this in a property of its own. */
function wasDamaged(event: IDBVersionChangeEvent): boolean {
  return 'dataLoss' in event && event.dataLoss !== 'none';
}
