import { deleteDB, openDB } from 'idb';
import { ulid } from 'ulid';

/** The maximum number of databases that are tried if another script blocks the deletion. */
const ATTEMPTS = 3;

/**
 * The number of rotations of the log. LevelDB may compact and still continue the old log (4 of 30 trials with
 * a disk that had been full, and once at a start on a busy machine).
 */
const ROTATIONS = 3;

/**
 * The number of rotations after a full disk. The log is truncated, and the next write may fill the disk
 * again.
 */
const ROTATIONS_AFTER_FULL_DISK = 10;

/** Chromium reports the deletion of a database before it compacts, and does not report the compaction. */
const MIN_COMPACTION_MS = 20;

/**
 * Makes Chromium begin a new log before anything is written.
 *
 * Chromium's LevelDB writes to a log first. If the browser is killed during such a write, or the disk is
 * full to the last byte, the last record of the log is truncated. Chromium appends after this record.
 * At its next start it reads the appended bytes as the rest of the record, or as damage: the later
 * writes are lost, or everything.
 *
 * After the deletion of a database Chromium compacts: it moves the log into its tables and begins a new
 * log. This takes a few milliseconds, for any amount of data, and writes some hundred bytes.
 *
 * @param isOfFullDisk Whether the disk was full.
 */
export async function rotateLog(databaseName: string, isOfFullDisk: boolean): Promise<void> {
  const prefix = `inpage-mcp:renewal:${databaseName}:`;
  const rotations = isOfFullDisk ? ROTATIONS_AFTER_FULL_DISK : ROTATIONS;
  for (let times = rotations; times > 0; times--) await beginNewLog(prefix);
  removeLeftovers(prefix).catch(() => undefined);
}

/**
 * Creates a database and deletes it. Its name is random, because a script that keeps a database open blocks
 * its deletion, and then every other open, without an event. If a script has found the name in the list of
 * databases, another name is tried.
 */
async function beginNewLog(prefix: string): Promise<void> {
  const startedAt = performance.now();
  for (let times = ATTEMPTS; times > 0; times--) {
    const name = prefix + ulid();
    (await openDB(name)).close();
    if (await isDeleted(name)) break;
  }
  // If the browser was slow so far, its compaction is slow, too.
  const compactionMs = Math.max(performance.now() - startedAt, MIN_COMPACTION_MS);
  await new Promise((resolve) => setTimeout(resolve, compactionMs));
}

/** Whether this browser's log can be truncated: only Chromium has `dataLoss`. */
export function canLogBeTruncated(): boolean {
  // If IndexedDB is missing, the open reports it.
  return 'IDBVersionChangeEvent' in globalThis && 'dataLoss' in IDBVersionChangeEvent.prototype;
}

/** Resolves with false if an open connection blocks the deletion. */
function isDeleted(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // The browser deletes it once that connection is closed.
    deleteDB(name, { blocked: () => resolve(false) }).then(() => resolve(true), reject);
  });
}

/** Deletes the databases of killed tabs. It may also delete one that another tab is about to delete. */
async function removeLeftovers(prefix: string): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith(prefix)) await isDeleted(name);
  }
}
