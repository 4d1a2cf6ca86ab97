import { deleteDB, openDB } from 'idb';
import { ulid } from 'ulid';

/** How often another database is taken where somebody else holds the one that is to be deleted. */
const ATTEMPTS = 3;

/**
 * How often another log is asked for: LevelDB may tidy up and go on with the old one all the same (4 of 30
 * trials with a disk that had been full, and once at a start on a busy machine).
 */
const ROTATIONS = 3;

/** Chromium says that a database is deleted before it tidies up, and does not report when it has. */
const MIN_COMPACTION_MS = 20;

/**
 * Chromium's LevelDB writes to a log first. When the browser is killed in the middle of that, or the
 * disk is full to the last byte, the last record of the log breaks off. Chromium goes on behind it, and
 * takes that for the rest of the record or for damage when it next starts: what was written behind it
 * is lost then, or everything. So before anything is written the log has to be another one.
 *
 * When a database is deleted, Chromium tidies up: it puts what is in the log into its tables, and begins
 * another log for that. It takes a few milliseconds, however much there is, and writes some hundred
 * bytes.
 */
export async function rotateLog(databaseName: string): Promise<void> {
  const prefix = `inpage-mcp:renewal:${databaseName}:`;
  for (let times = ROTATIONS; times > 0; times--) await beginNewLog(prefix);
  removeLeftovers(prefix).catch(() => undefined);
}

/**
 * Makes a database and deletes it. Its name is one that nobody can know: who holds a database open keeps
 * it from being deleted, and then everybody else from opening it, without a word. Somebody may have found
 * it all the same, in a list of all databases: then another is taken.
 */
async function beginNewLog(prefix: string): Promise<void> {
  const startedAt = performance.now();
  for (let times = ATTEMPTS; times > 0; times--) {
    const name = prefix + ulid();
    (await openDB(name)).close();
    if (await isDeleted(name)) break;
  }
  // A browser that was slow so far is slow with that, too.
  const compactionMs = Math.max(performance.now() - startedAt, MIN_COMPACTION_MS);
  await new Promise((resolve) => setTimeout(resolve, compactionMs));
}

/** Whether this is a browser whose log can break off. Only Chromium tells of lost data. */
export function canLogBeTruncated(): boolean {
  // Where there is no IndexedDB at all, that is told when it is opened.
  return 'IDBVersionChangeEvent' in globalThis && 'dataLoss' in IDBVersionChangeEvent.prototype;
}

/** Resolves with whether it was deleted: not while somebody holds it. */
function isDeleted(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // It is deleted once it is let go.
    deleteDB(name, { blocked: () => resolve(false) }).then(() => resolve(true), reject);
  });
}

/** What a tab has left that was killed. One that another tab is just about to delete may be deleted. */
async function removeLeftovers(prefix: string): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith(prefix)) await isDeleted(name);
  }
}
