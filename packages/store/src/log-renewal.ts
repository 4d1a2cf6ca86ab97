import type { Transaction } from './database.js';

/**
 * Chromium's LevelDB keeps a log of what is written. When the disk is full to the last byte, the last
 * record of it breaks off; all connections are closed then, the next ones go on behind it, and at the
 * next start it takes that for damage: everything is lost. Beyond 4 MiB it begins another log and
 * deletes the old one, once all of that is in its tables. So as much is written first, and deleted in
 * the same transaction.
 */

/** Comfortably more than a log holds. */
const LOG_BYTES = 5 * 1024 * 1024;

/** What is larger than 64 KiB would not be in the log. */
const RECORD_BYTES = 60 * 1024;

/** Writes as much as has the browser begin another log, and leaves nothing of it. */
export async function fillLog(transaction: Transaction<['ballast'], 'readwrite'>): Promise<void> {
  const store = transaction.objectStore('ballast');
  const zeros = new Uint8Array(RECORD_BYTES);
  const keys = Array.from({ length: Math.ceil(LOG_BYTES / RECORD_BYTES) }, (_, n) => `log ${n}`);
  await Promise.all(keys.map((key) => store.put(zeros, key)));
  await store.delete(IDBKeyRange.bound('log ', 'log!', false, true));
}
