import { type IDBPObjectStore, unwrap } from 'idb';
import type { Database } from '../database/database.js';
import { readHead } from '../changes/journal.js';
import type { StoreChanges } from '../changes/store-changes.js';
import { EVERYTHING } from '../changes/store-scope.js';
import { Writer } from '../changes/writer.js';
import type { FileContent } from '../files/file-records.js';
import { timeoutOf } from '../notes/new-notes.js';
import { checkPageSize } from '../schema/limits.js';
import type {
  EntryKey,
  EntryKind,
  StoreSchema,
  SyncedEntry,
  SyncRecord,
} from '../schema/schema.js';
import { deleteEach, getEach } from '../records/many-keys.js';
import { ifUnreadable, readEntries, type SyncEntry, syncedOf } from './sync-reading.js';
import {
  isSyncRecord,
  markOf,
  putSynced,
  requireSync,
  type SyncStores,
  type SyncTransaction,
} from './sync-transaction.js';
import {
  applyWrites,
  checkCount,
  prepareWrites,
  type SyncOutcome,
  type SyncWrite,
} from './sync-writes.js';
import { type ByteSource, withBytes } from './uploaded-bytes.js';

/** The number of entries that are marked in one transaction: other writes run in between. */
const MARKED_AT_ONCE = 2_000;

/** The number of versions of the server that are forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 50;

type Marking = NonNullable<SyncRecord['isMarking']>;

/** Names an entry. */
export interface EntryId {
  /** The kind of entry that the key names. */
  kind: EntryKind;
  /** The note's id or the file's path. */
  key: string;
}

/** An entry that was changed or deleted here. */
export interface UnsyncedEntry extends EntryId {
  /** A number that changes with each change of the entry here. */
  mark: number;
}

/** The message that the server has the changes of an entry. */
export interface Acknowledgement extends UnsyncedEntry {
  /** The state of the entry on the server; `undefined` if the server does not have it. */
  synced: SyncedEntry | undefined;
}

/**
 * The notes and files of the database for the engine of a sync with the other devices of the user. It
 * reads and writes all of them, so only the worker of the sync has it.
 *
 * Once the database is joined, each change by any client leaves a mark on its entry, in the transaction of
 * the change. A mark without an entry means that the entry was deleted. The mark is removed once the server
 * has the change.
 *
 * Methods reject with a `StoreError`: with `conflict` if the database is not joined, perhaps because
 * another tab has just left or cleared it.
 */
export class StoreSync {
  readonly #database: Database;
  readonly #changes: StoreChanges;
  readonly #writer: Writer;

  /** Creates an instance; use `openStoreSync` instead. */
  constructor(database: Database, changes: StoreChanges) {
    this.#database = database;
    this.#changes = changes;
    this.#writer = new Writer(database, changes, () => EVERYTHING);
  }

  /** The changes by all clients. Those of {@link apply} have the `origin` `sync`. */
  get changes(): Pick<StoreChanges, 'listen'> {
    return this.#changes;
  }

  /**
   * The state that the engine has stored, and the position up to which it has read; `undefined` if the
   * database is not joined. Completes a {@link join} or {@link forget} that was interrupted.
   */
  async state(): Promise<Pick<SyncRecord, 'state' | 'position'> | undefined> {
    const record: unknown = await this.#read('sync', (sync) => sync.get('state'));
    if (!isSyncRecord(record)) return undefined;
    if (record.isMarking) await this.#markEverything(record.isMarking);
    return { state: record.state, position: record.position };
  }

  /**
   * Joins the sync: marks every entry as unsynced, some thousands in a transaction. An earlier join ends.
   *
   * @param state A value that can be cloned, also with keys of WebCrypto.
   */
  async join(state: unknown): Promise<void> {
    await this.#start(() => Promise.resolve({ state }), false);
  }

  /**
   * Forgets the state of the server and the position up to which it was read, and marks every entry as
   * unsynced: for a server that has gone back in time or was created again. All other data about the entries
   * stays, as lost by the server.
   */
  async forget(): Promise<void> {
    await this.#start(requireSync, true);
  }

  /**
   * Changes the state in one transaction, since several tabs may do so.
   *
   * @param change Called with the state; must return the new state synchronously.
   * @returns The new state.
   */
  async changeState<State>(change: (state: unknown) => State): Promise<State> {
    return await this.#write(['sync'], async (transaction) => {
      const record = await requireSync(transaction);
      const state = change(record.state);
      await transaction.objectStore('sync').put({ ...record, state }, 'state');
      return state;
    });
  }

  /** Leaves the sync: deletes state, position and marks. Notes and files stay. */
  async leave(): Promise<void> {
    const leave = (): Promise<void> =>
      this.#write(['sync', 'synced', 'unsynced', 'head'], async (transaction) => {
        const heads = transaction.objectStore('head');
        const { syncs: _former, ...head } = await readHead(heads);
        for (const name of ['sync', 'synced', 'unsynced'] as const) {
          unwrap(transaction.objectStore(name)).clear();
        }
        await heads.put(head, 'head');
      });
    await this.#database.reservedSpace.runDeletion(leave, undefined);
  }

  /**
   * The entries that were changed or deleted here, files before notes, by key.
   *
   * @param limit The most entries, up to `MAX_PAGE`.
   * @param after The last entry of the page before. Default: from the start.
   */
  async unsynced(limit: number, after?: EntryId): Promise<UnsyncedEntry[]> {
    const page = await this.#page('unsynced', limit, after);
    return page.map(([id, mark]) => ({ ...id, mark: markOf(mark) ?? 0 }));
  }

  /**
   * The state of entries on the server, files before notes, by key; `undefined` for an entry whose record is
   * damaged.
   *
   * @param limit The most entries, up to `MAX_PAGE`.
   * @param after The last entry of the page before. Default: from the start.
   */
  async synced(
    limit: number,
    after?: EntryId,
  ): Promise<(EntryId & { synced: SyncedEntry | undefined })[]> {
    const page = await this.#page('synced', limit, after);
    return page.map(([id, synced]) => ({ ...id, synced: syncedOf(synced) }));
  }

  /** The number of all entries that {@link unsynced} lists. */
  async countUnsynced(): Promise<number> {
    return await this.#read('unsynced', (marks) => marks.count());
  }

  /** Reads an entry with its mark and its state on the server, consistently. */
  async read(kind: EntryKind, key: string): Promise<SyncEntry> {
    const [entry] = await this.readAll([{ kind, key }]);
    return entry!;
  }

  /** Reads several entries like {@link read}, in their order. All their texts are in memory. */
  async readAll(entries: readonly EntryId[]): Promise<SyncEntry[]> {
    const ids = entries.map(({ kind, key }): EntryKey => [kind, key]);
    return await readEntries(this.#database, ids);
  }

  /**
   * Writes up to `MAX_ENTRIES_AT_ONCE` entries of other devices, and the position, in one transaction,
   * and notifies all tabs. An entry that has changed since it was read is skipped: read it again. Rejects
   * with `invalid-argument` if an entry exceeds a limit (see `checkSyncWrite`), and with `unreadable` if
   * bytes do not match the digest of their file; then nothing is written.
   *
   * @param position The position up to which the engine has read. If it is absent, the stored position stays.
   *   It also stays if a write was skipped, because that change would not be read again.
   * @returns The outcomes, in the order of the writes.
   */
  async apply(writes: readonly SyncWrite[], position?: string): Promise<SyncOutcome[]> {
    const prepared = await prepareWrites(this.#database, writes);
    const stores: SyncStores = [
      ...(['notes', 'note-texts', 'files', 'file-bytes', 'file-pieces', 'uploads'] as const),
      ...(['head', 'sync', 'synced', 'unsynced'] as const),
    ];
    const { effect } = await this.#writer.write(
      stores,
      { operation: 'sync.apply', args: {} },
      {},
      async (transaction) => ({
        result: null,
        ...(await applyWrites(transaction, prepared, position)),
      }),
      {
        timeoutMs: timeoutOf(writes.length),
        freesSpace: writes.some(({ note, file }) => note === null || file === null),
      },
    );
    return effect?.outcomes ?? [];
  }

  /**
   * Stores the state of the server after changes were sent, for up to `MAX_ENTRIES_AT_ONCE` entries. Removes
   * the mark of an entry unless the entry has changed since it was read.
   */
  async acknowledge(entries: readonly Acknowledgement[]): Promise<void> {
    checkCount(entries.length);
    await this.#write(['sync', 'synced', 'unsynced'], async (transaction) => {
      await requireSync(transaction);
      const marks = transaction.objectStore('unsynced');
      const ids = entries.map(({ kind, key }): EntryKey => [kind, key]);
      const stored = await getEach<EntryKey, unknown>(marks, ids);
      for (const [index, { synced }] of entries.entries())
        putSynced(transaction, ids[index]!, synced);
      const unchanged = ids.filter((_, index) => markOf(stored[index]) === entries[index]!.mark);
      await deleteEach(unwrap(marks), unchanged);
    });
  }

  /**
   * Stores the bytes of a file that come in parts, and calls `use`, which passes them to {@link apply}. If
   * anything fails, all of them are deleted. They are never all in memory.
   *
   * @param signal Aborting it ends the call, which rejects with its reason. Default: none.
   * @returns The result of `use`. Also rejects with the errors of `parts` and `use`, and with
   *   `invalid-argument` if the bytes do not have the size.
   */
  async withBytes<Value>(
    source: ByteSource,
    use: (bytes: FileContent) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    return await withBytes(this.#database, source, use, signal);
  }

  /** Closes the connection: later calls reject with `closed`. Resolves once the browser has closed it. */
  async close(): Promise<void> {
    this.#database.close();
    this.#changes.close();
    await this.#database.closed;
  }

  /**
   * Starts a sync. From the end of its transaction on, each write leaves a mark. `isMarking` stays set if the
   * marking is interrupted.
   */
  async #start(
    stateOf: (transaction: SyncTransaction<'readwrite'>) => Promise<Pick<SyncRecord, 'state'>>,
    keepsCounters: boolean,
  ): Promise<void> {
    const isMarking = crypto.randomUUID();
    await this.#write(['sync', 'synced', 'head'], async (transaction) => {
      const heads = transaction.objectStore('head');
      const { state } = await stateOf(transaction);
      const head = await readHead(heads);
      if (!keepsCounters) unwrap(transaction.objectStore('synced')).clear();
      unwrap(heads).put({ ...head, syncs: true }, 'head');
      await transaction.objectStore('sync').put({ state, position: '', isMarking }, 'state');
    });
    await this.#markEverything(isMarking);
  }

  /**
   * Marks every entry. Each step checks whether it is still to be done, because other tabs may do the same,
   * and finish earlier.
   */
  async #markEverything(marking: Marking): Promise<void> {
    let last: EntryId | undefined;
    do last = await this.#forgetSome(marking, last);
    while (last);
    for (const name of ['notes', 'files'] as const) {
      let after: IDBValidKey | undefined;
      do after = await this.#markSome(marking, name, after);
      while (after !== undefined);
    }
    await this.#write(['sync'], async (transaction) => {
      const { isMarking, ...record } = await requireSync(transaction);
      if (isMarking === marking) await transaction.objectStore('sync').put(record, 'state');
    });
  }

  /**
   * Forgets the versions of the next entries after the given one, or everything about the server's entries if
   * a part of it is damaged. Resolves with the last entry; with `undefined` at the end.
   */
  async #forgetSome(marking: Marking, after: EntryId | undefined): Promise<EntryId | undefined> {
    const isReadable =
      (await this.#page('synced', FORGOTTEN_AT_ONCE, after).catch(ifUnreadable)) !== undefined;
    return await this.#write(['sync', 'synced'], async (transaction) => {
      if (!(await isStillMarking(transaction, marking))) return undefined;
      const known = transaction.objectStore('synced');
      if (!isReadable) unwrap(known).clear();
      // Read again, because it may have changed. Only a few are read at a time, because their bases are in
      // memory.
      const page = isReadable ? await pageOf(known, FORGOTTEN_AT_ONCE, after) : [];
      for (const [{ kind, key }, value] of page) {
        const synced = syncedOf(value);
        putSynced(transaction, [kind, key], synced && { ...synced, version: '', isLost: true });
      }
      return page.at(-1)?.[0];
    });
  }

  /** Marks the entries after a key. Resolves with the last key; with `undefined` at the end. */
  async #markSome(
    marking: Marking,
    name: 'notes' | 'files',
    after: IDBValidKey | undefined,
  ): Promise<IDBValidKey | undefined> {
    return await this.#write([name, 'sync', 'unsynced', 'head'], async (transaction) => {
      if (!(await isStillMarking(transaction, marking))) return undefined;
      const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
      // The records are not read, so that unreadable entries are marked, too.
      const keys: IDBValidKey[] = await transaction
        .objectStore(name)
        .getAllKeys(range, MARKED_AT_ONCE);
      const { sequence } = await readHead(transaction.objectStore('head'));
      const marks = unwrap(transaction.objectStore('unsynced'));
      for (const key of keys) {
        // A key that is not a string names no entry.
        if (typeof key === 'string') marks.put(sequence, [name === 'notes' ? 'note' : 'file', key]);
      }
      return keys.length < MARKED_AT_ONCE ? undefined : keys.at(-1);
    });
  }

  async #page(
    name: 'synced' | 'unsynced',
    limit: number,
    after: EntryId | undefined,
  ): Promise<[EntryId, unknown][]> {
    checkPageSize(limit);
    return await this.#read(name, (store) => pageOf(store, limit, after));
  }

  #read<Name extends 'sync' | 'synced' | 'unsynced', Value>(
    name: Name,
    body: (store: IDBPObjectStore<StoreSchema, Name[], Name>) => Promise<Value>,
  ): Promise<Value> {
    return this.#database.run([name] as Name[], 'readonly', (transaction) =>
      body(transaction.objectStore(name)),
    );
  }

  #write<Value>(
    stores: SyncStores,
    body: (transaction: SyncTransaction<'readwrite'>) => Promise<Value>,
  ): Promise<Value> {
    return this.#database.run(stores, 'readwrite', body);
  }
}

/** The keys and values after an entry, in the order of the keys. */
async function pageOf<Name extends 'synced' | 'unsynced', Mode extends IDBTransactionMode>(
  store: IDBPObjectStore<StoreSchema, SyncStores, Name, Mode>,
  limit: number,
  after: EntryId | undefined,
): Promise<[EntryId, unknown][]> {
  const range = after && IDBKeyRange.lowerBound([after.kind, after.key], true);
  const [keys, values] = await Promise.all([
    store.getAllKeys(range, limit),
    store.getAll(range, limit),
  ]);
  return keys.map(([kind, key], index) => [{ kind, key }, values[index]]);
}

async function isStillMarking(
  transaction: SyncTransaction<'readwrite'>,
  marking: Marking,
): Promise<boolean> {
  return (await requireSync(transaction)).isMarking === marking;
}
