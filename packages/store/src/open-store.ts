import { Database } from './database.js';
import { FileStore } from './file-store.js';
import { NoteStore } from './note-store.js';
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
  /**
   * A part of the store, as if there were nothing else.
   *
   * @param scope Asked for at each call and each change: it may become another.
   */
  within(scope: () => StoreScope): StoreView;
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
