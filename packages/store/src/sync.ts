import { connectStore, type ConnectOptions } from './connect-store.js';
import { StoreSync } from './sync/store-sync.js';

/**
 * Opens the database of a store for a sync with other devices, in addition to the stores that are open. Only
 * the worker of the sync does this: it reads and writes everything. It does not update the search index.
 *
 * @throws {StoreError} As `openStore` does.
 */
export async function openStoreSync(
  databaseName: string,
  options: ConnectOptions = {},
): Promise<StoreSync> {
  const { database, changes } = await connectStore(databaseName, options);
  return new StoreSync(database, changes);
}

export type { ConnectOptions } from './connect-store.js';
export { bufferOf, bytesOf } from './database/blob-bytes.js';
export type { FileContent } from './files/file-records.js';
export { digestOf } from './files/file-writing.js';
export type { EntryKind, SyncedEntry } from './schema/schema.js';
export type { Acknowledgement, EntryId, StoreSync, UnsyncedEntry } from './sync/store-sync.js';
export type { SyncEntry } from './sync/sync-reading.js';
export {
  checkSyncWrite,
  type FileVersion,
  MAX_BLOB_BYTES,
  MAX_BYTES_AT_ONCE,
  MAX_ENTRIES_AT_ONCE,
  MAX_TAKEN_REVISION,
  type NoteContent,
  type SyncOutcome,
  type SyncWrite,
} from './sync/sync-writes.js';
export type { ByteSource } from './sync/uploaded-bytes.js';
