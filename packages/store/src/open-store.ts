import { Database } from './database.js';
import { FileStore } from './file-store.js';
import { readLog } from './journal.js';
import { NoteStore } from './note-store.js';
import type { Head } from './schema.js';
import { lossOf, type StorageLoss, type StorageMarker } from './storage-loss.js';
import { StoreChanges } from './store-changes.js';
import type { StoreScope } from './store-scope.js';

/** The user's notes and files, or a part of them, and what happens to them. */
export interface StoreView {
  readonly notes: NoteStore;
  readonly files: FileStore;
  readonly changes: Pick<StoreChanges, 'listen'>;
}

/** The user's notes and files, and what happens to them. */
export interface Store extends StoreView {
  readonly changes: StoreChanges;
  /**
   * A part of the store, as if there were nothing else.
   *
   * @param scope Asked for at each call and each change: it may become another.
   */
  within(scope: () => StoreScope): StoreView;
  /** Ends the connection and the announcements; later calls reject with `closed`. */
  close(): void;
}

/** How to open a store. */
export interface StoreOptions {
  /** Where the database stood when it was last seen, kept outside of it. Default: not known. */
  marker?: StorageMarker | undefined;
  /** Hears that data was lost, also before the store has opened. */
  onloss?: (loss: StorageLoss) => void;
  /** Hears that a newer version of this software has taken the database over. */
  onnewerversion?: () => void;
}

/**
 * Opens the database, making it on the first run.
 *
 * @throws {StoreError} `blocked`, `newer-version` or `unavailable`.
 */
export async function openStore(databaseName: string, options: StoreOptions = {}): Promise<Store> {
  const { marker, onloss, onnewerversion } = options;
  const known = (): StorageMarker | undefined => changes.head ?? marker;
  const database = new Database(databaseName, {
    opened: (head: Head, isDamaged) => {
      const loss = lossOf(known(), head, isDamaged);
      const isAnother = loss !== undefined || (changes.head && changes.head.id !== head.id);
      changes.startAt(head, isAnother ?? false);
      if (loss) onloss?.(loss);
    },
    newerVersion: () => onnewerversion?.(),
  });
  const changes = new StoreChanges(databaseName, (after) =>
    database.run(['head', 'log'], 'readonly', (transaction) => readLog(transaction, after)),
  );
  try {
    await database.open();
  } catch (error) {
    changes.close();
    throw error;
  }
  const notes = new NoteStore(database, changes);
  const files = new FileStore(database, changes);
  return {
    notes,
    files,
    changes,
    within: (scope) => ({
      notes: notes.within(scope),
      files: files.within(scope),
      changes: changes.within(scope),
    }),
    close() {
      database.close();
      changes.close();
    },
  };
}
