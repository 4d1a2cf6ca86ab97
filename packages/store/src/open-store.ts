import { Database } from './database.js';
import { FileStore } from './file-store.js';
import { NoteStore } from './note-store.js';
import { StoreChanges } from './store-changes.js';

/** The user's notes and files, and what happens to them. */
export interface Store {
  readonly notes: NoteStore;
  readonly files: FileStore;
  readonly changes: StoreChanges;
  /** Ends the connection and the announcements; later calls reject with `closed`. */
  close(): void;
}

/**
 * Opens the database, making it on the first run.
 *
 * @throws {StoreError} `blocked`, `newer-version` or `unavailable`.
 */
export async function openStore(databaseName: string): Promise<Store> {
  const database = new Database(databaseName);
  await database.open();
  const changes = new StoreChanges(databaseName);
  return {
    notes: new NoteStore(database, changes),
    files: new FileStore(database, changes),
    changes,
    close() {
      database.close();
      changes.close();
    },
  };
}
