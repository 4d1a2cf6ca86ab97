import { openDB } from 'idb';
import { ulid } from 'ulid';
import { beginTransaction, type Connection } from './begin-transaction.js';
import { type Head, migrate, SCHEMA_VERSION, type StoreSchema } from './schema.js';
import { abortIfActive } from './settled-transaction.js';
import { isHead } from './storage-loss.js';
import { storeErrorOf, toStoreError } from './store-error.js';
import { Watchdog } from './watchdog.js';

/** How long an open waits for other tabs to let go of the database. */
const BLOCKED_TIMEOUT_MS = 4_000;

/** How long a new database may take to be made. */
const CREATION_TIMEOUT_MS = 10_000;

/** How long one of an earlier version may take to be brought up to date, with years of notes in it. */
const UPGRADE_TIMEOUT_MS = 10 * 60_000;

/** How long a connection may take to answer first: another tab may be writing a lot. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Who hears what becomes of a connection. */
export interface ConnectionListener {
  /** Another tab upgrades (to a version) or deletes (null) the database, and waits for this one. */
  onversionchange(connection: IDBDatabase, newVersion: number | null): void;
  /** The browser has closed it by itself. */
  onbreakdown(): void;
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
 * Opens the database, making it, or bringing it up to date, where need be.
 *
 * @throws {StoreError} `blocked` when another tab does not let go of an older version in 4 s,
 *   `newer-version`, `unavailable`, `timeout`, or what the browser reports.
 */
export async function openDatabase(
  name: string,
  listener: ConnectionListener,
): Promise<OpenedDatabase> {
  if (typeof indexedDB === 'undefined') throw storeErrorOf('unavailable');
  let giveUp!: (error: Error) => void;
  const late = new Promise<never>((_resolve, reject) => (giveUp = reject));
  const timer = setTimeout(() => giveUp(storeErrorOf('blocked')), BLOCKED_TIMEOUT_MS);
  const upgrade: Upgrade = {
    // From here on nobody blocks.
    onbegin: () => clearTimeout(timer),
    onlate: giveUp,
    isDamaged: false,
  };
  const opening = connect(name, listener, upgrade);
  try {
    const connection = await Promise.race([opening, late]);
    clearTimeout(timer);
    return await answered(connection, upgrade.isDamaged);
  } catch (error) {
    // An open that comes through later must not hold the database against others.
    void opening.then(
      (connection) => connection.close(),
      () => undefined,
    );
    throw toStoreError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** What is known of an upgrade, should there be one. */
interface Upgrade {
  onbegin(): void;
  onlate(error: Error): void;
  isDamaged: boolean;
}

async function connect(
  name: string,
  listener: ConnectionListener,
  upgrade: Upgrade,
): Promise<Connection> {
  let cause: unknown;
  let watchdog: Watchdog | undefined;
  // `blocked` is answered by the timer, which also ends a wait that the event does not announce:
  // behind another tab's blocked deletion.
  const opening = openDB<StoreSchema>(name, SCHEMA_VERSION, {
    upgrade: (database, oldVersion, _newVersion, transaction, event) => {
      upgrade.onbegin();
      upgrade.isDamaged = wasDamaged(event);
      const timeoutMs = oldVersion === 0 ? CREATION_TIMEOUT_MS : UPGRADE_TIMEOUT_MS;
      watchdog = new Watchdog(timeoutMs, () => abortIfActive(transaction));
      watchdog.late.catch(upgrade.onlate);
      migrate(database, oldVersion, transaction).catch((error: unknown) => {
        cause = error;
        abortIfActive(transaction);
      });
      // Why an upgrade failed shows only on its transaction: the request just says `AbortError`.
      transaction.done.catch((error: unknown) => {
        cause ??= error;
      });
    },
    blocking: (_current, newVersion, event) =>
      listener.onversionchange(event.target as IDBDatabase, newVersion),
    terminated: () => listener.onbreakdown(),
  });
  try {
    return await opening;
  } catch (error) {
    throw cause ?? error;
  } finally {
    watchdog?.stop();
  }
}

/** Reads where the database stands. Where that is damaged, it is found out anew. */
async function answered(connection: Connection, isDamaged: boolean): Promise<OpenedDatabase> {
  const watchdog = new Watchdog(ANSWER_TIMEOUT_MS, () => undefined);
  const read = async (): Promise<OpenedDatabase> => {
    const head: unknown = await beginTransaction(connection, ['head'], 'readonly')
      .objectStore('head')
      .get('head');
    if (isHead(head)) return { connection, head, isDamaged };
    return { connection, head: await countAnew(connection), isDamaged: true };
  };
  try {
    return await Promise.race([read(), watchdog.late]);
  } finally {
    watchdog.stop();
  }
}

async function countAnew(connection: Connection): Promise<Head> {
  const stores: ('notes' | 'files' | 'log' | 'head')[] = ['notes', 'files', 'log', 'head'];
  const transaction = beginTransaction(connection, stores, 'readwrite');
  const log = transaction.objectStore('log');
  const [notes, files, last] = await Promise.all([
    transaction.objectStore('notes').count(),
    transaction.objectStore('files').count(),
    log.openKeyCursor(null, 'prev'),
  ]);
  const head = { id: ulid(), sequence: (last?.key ?? 0) + 1, notes, files };
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
