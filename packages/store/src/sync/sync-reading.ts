import type { Database } from '../database/database.js';
import { blobIn, readWhole } from '../files/file-reading.js';
import { readNotes } from '../notes/note-transactions.js';
import type { EntryKey, Note, StoredFile, SyncedEntry } from '../schema/schema.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { getEach } from '../records/many-keys.js';
import { ifFound, markOf, partOf, readMark, type SyncStores } from './sync-transaction.js';

/** An entry, and its known state on the server. */
export interface SyncEntry {
  /** A number that changes with each change of the entry here. `undefined` if the server has all changes. */
  mark: number | undefined;
  /**
   * The state on the server. `undefined` if the server does not have the entry, or if that is not known
   * because of damage.
   */
  synced: SyncedEntry | undefined;
  /** The note; absent if it does not exist. */
  note?: Note;
  /** The file; absent if it does not exist. */
  file?: { record: StoredFile; bytes: Blob };
  /** Set if the entry exists and cannot be read: it was not deleted. */
  damaged?: true;
}

const STORES: { [kind in EntryKey[0]]: SyncStores } = {
  note: ['notes', 'note-texts'],
  file: ['files', 'file-bytes', 'file-pieces'],
};

/**
 * Reads entries in one transaction. If a part of an entry is damaged, reads the parts of each that are left.
 */
export async function readEntries(
  database: Database,
  ids: readonly EntryKey[],
): Promise<SyncEntry[]> {
  const entries = await readParts(database, ids, true).catch(ifUnreadable);
  return entries ?? (await Promise.all(ids.map((id) => readDamaged(database, id))));
}

async function readDamaged(database: Database, id: EntryKey): Promise<SyncEntry> {
  const read = (isSyncedRead: boolean): Promise<SyncEntry[] | undefined> =>
    readParts(database, [id], isSyncedRead).catch(ifUnreadable);
  // The second attempt omits the state on the server, because that may be the damaged part.
  const [entry] = (await read(true)) ?? (await read(false)) ?? [];
  if (entry) return entry;
  database.reportUnreadable([{ kind: id[0], key: id[1] }]);
  const stores: SyncStores = ['unsynced'];
  const mark = await database.run(stores, 'readonly', (transaction) => readMark(transaction, id));
  return { mark, synced: undefined, damaged: true };
}

/** Resolves with `undefined` where the stored value is damaged. */
export function ifUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}

async function readParts(
  database: Database,
  ids: readonly EntryKey[],
  isSyncedRead: boolean,
): Promise<SyncEntry[]> {
  const kinds = new Set(ids.map(([kind]) => kind));
  const stores: SyncStores = [...[...kinds].flatMap((kind) => STORES[kind]), 'synced', 'unsynced'];
  const noteIds = ids.flatMap(([kind, key]) => (kind === 'note' ? [key] : []));
  const [marks, synced, notes, files] = await database.run(stores, 'readonly', (transaction) =>
    Promise.all([
      getEach<EntryKey, unknown>(transaction.objectStore('unsynced'), ids),
      isSyncedRead ? getEach<EntryKey, unknown>(transaction.objectStore('synced'), ids) : [],
      noteIds.length > 0 ? readNotes(partOf(transaction), noteIds) : [],
      Promise.all(
        ids.map(async ([kind, key]) =>
          kind === 'file'
            ? await ifFound(readWhole(database, partOf(transaction), key))
            : undefined,
        ),
      ),
    ]),
  );
  return await Promise.all(
    ids.map(async ([kind], index) => {
      const note = kind === 'note' ? notes.shift() : undefined;
      const file = files[index];
      return {
        mark: markOf(marks[index]),
        synced: syncedOf(synced[index]),
        ...(note && { note: { ...note.summary, text: note.text } }),
        ...(file && { file: { record: file.file, bytes: await blobIn(file) } }),
      };
    }),
  );
}

/** The state of an entry on the server, as it is stored; `undefined` if that is damaged. */
export function syncedOf(value: unknown): SyncedEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, counter } = value as { [key in keyof SyncedEntry]?: unknown };
  const isValid = typeof version === 'string' && Number.isSafeInteger(counter);
  return isValid ? (value as SyncedEntry) : undefined;
}
