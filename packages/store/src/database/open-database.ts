import { openDB, type StoreNames } from 'idb';
import { beginTransaction, type Connection, type Transaction } from './begin-transaction.js';
import { newId } from '../schema/ids.js';
import { causeOf, openingFailure } from './opening-failure.js';
import { type OpeningListener, OpeningWatch } from './opening-watch.js';
import { type Head, migrate, SCHEMA_VERSION, type StoreSchema } from '../schema/schema.js';
import { abortIfActive } from './run-transaction.js';
import { isHead } from './storage-loss.js';
import { storeErrorOf } from '../errors/store-error.js';
import { beginInTurn } from './transaction-turns.js';
import { Watchdog } from '../errors/watchdog.js';

/** How long a connection may take to answer first: another tab may be writing a lot. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Who hears what becomes of a connection. */
export interface ConnectionListener {
  /** Another tab upgrades (to a version) or deletes (null) the database, and waits for this one. */
  onversionchange(connection: IDBDatabase, newVersion: number | null): void;
  /** The browser has closed it by itself. */
  onconnectionloss(): void;
  /** What an open that takes long is waiting for. */
  onprogress?: OpeningListener | undefined;
}

/** A connection that has answered. */
export interface OpenedDatabase {
  connection: Connection;
  /** Where the database stands. */
  head: Head;
  /** Whether it, or what says where it stands, had to be made anew. */
  isDamaged: boolean;
}

/**
 * Opens the database, making it, or bringing it up to date, where need be. That takes as long as it
 * takes, where it makes progress.
 *
 * @throws {StoreError} `blocked` when the browser says that another tab holds an older version, and
 *   that does not let go in 4 s; `timeout` without any progress for 30 s; `quota-exceeded` where the
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
    // An open that comes through later must not hold the database against others.
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
  /** What failed in an upgrade, and why the browser ended it. */
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
        // Why an upgrade failed shows only on its transaction: the request just says `AbortError`.
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
    throw causeOf([failure, abortion, error]);
  }
}

/** Reads where the database stands. Where that is damaged, it is found out anew. */
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

/** Begins a transaction in its turn. */
type Begin = <Names extends StoreNames<StoreSchema>[], Mode extends 'readonly' | 'readwrite'>(
  stores: Names,
  mode: Mode,
) => Promise<Transaction<Names, Mode>>;

async function rebuildHead(begin: Begin): Promise<Head> {
  const stores: ('notes' | 'files' | 'log' | 'head')[] = ['notes', 'files', 'log', 'head'];
  const transaction = await begin(stores, 'readwrite');
  const log = transaction.objectStore('log');
  const [notes, files, last] = await Promise.all([
    transaction.objectStore('notes').count(),
    transaction.objectStore('files').count(),
    log.openKeyCursor(null, 'prev'),
  ]);
  const head = { id: newId(), sequence: (last?.key ?? 0) + 1, notes, files };
  await Promise.all([
    transaction.objectStore('head').put(head, 'head'),
    log.put('everything', head.sequence),
    transaction.done,
  ]);
  return head;
}

/** Chromium tells by a property of its own that it could not read the database. */
function wasDamaged(event: IDBVersionChangeEvent): boolean {
  return 'dataLoss' in event && event.dataLoss !== 'none';
}
