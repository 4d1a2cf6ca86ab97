import { type StoreNames, unwrap } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { EntryKey, StoreSchema, SyncedEntry, SyncRecord } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';

/** Names of object stores. */
export type SyncStores = StoreNames<StoreSchema>[];

/** A transaction over some object stores, although its type has all of them. */
export type SyncTransaction<Mode extends IDBTransactionMode> = Transaction<SyncStores, Mode>;

/** The transaction as one with fewer object stores, which its generic type does not allow. */
export function partOf<Names extends SyncStores, Mode extends IDBTransactionMode>(
  transaction: SyncTransaction<Mode>,
): Transaction<Names, Mode> {
  return transaction as unknown as Transaction<Names, Mode>;
}

/** Whether a value is the record of a sync. */
export function isSyncRecord(value: unknown): value is SyncRecord {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { [key in keyof SyncRecord]?: unknown }).position === 'string';
}

/**
 * Reads the record of the sync.
 *
 * @throws {StoreError} `conflict` unless the database is joined: perhaps it was a moment ago.
 */
export async function requireSync(
  transaction: SyncTransaction<IDBTransactionMode>,
): Promise<SyncRecord> {
  const record: unknown = await transaction.objectStore('sync').get('state');
  if (isSyncRecord(record)) return record;
  throw new StoreError('conflict', 'This device does not synchronize, or no longer.');
}

/** The mark of an entry. 0 if the stored one is damaged: no change has this number. */
export async function readMark(
  transaction: SyncTransaction<IDBTransactionMode>,
  id: EntryKey,
): Promise<number | undefined> {
  return markOf(await transaction.objectStore('unsynced').get(id));
}

/** The mark that a stored value means. */
export function markOf(stored: unknown): number | undefined {
  if (stored === undefined) return undefined;
  return Number.isSafeInteger(stored) ? (stored as number) : 0;
}

/** Writes the state of an entry on the server. A failed request aborts the transaction. */
export function putSynced(
  transaction: SyncTransaction<'readwrite'>,
  id: EntryKey,
  synced: SyncedEntry | undefined,
): void {
  const entries = unwrap(transaction.objectStore('synced'));
  if (synced) entries.put(synced, id);
  else entries.delete(id);
}

/** Resolves with `undefined` if the entry does not exist. */
export async function ifFound<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'not-found') return undefined;
    throw error;
  });
}
