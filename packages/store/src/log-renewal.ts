import { deleteDB, openDB } from 'idb';

/** Chromium says that a database is deleted a moment before it tidies up. Nothing tells when it has. */
const TIDYING_MS = 20;

/**
 * Chromium's LevelDB writes to a log first. When the browser is killed in the middle of that, or the
 * disk is full to the last byte, the last record of the log breaks off. Chromium goes on behind it, and
 * takes that for the rest of the record or for damage when it next starts: what was written behind it
 * is lost then, or everything. So before anything is written the log has to be another one.
 *
 * When a database is deleted, Chromium tidies up, and begins another log for that. It takes a few
 * milliseconds, however much there is, and writes some hundred bytes.
 */
export async function renewLog(databaseName: string): Promise<void> {
  const name = `inpage-mcp:renewal:${databaseName}`;
  // What a tab has left that was killed is as good.
  (await openDB(name)).close();
  await new Promise<void>((resolve, reject) => {
    // Whoever else holds it is about to do the same.
    deleteDB(name, { blocked: () => resolve() }).then(resolve, reject);
  });
  await new Promise((resolve) => setTimeout(resolve, TIDYING_MS));
}

/** Whether this is a browser whose log can break off. Only Chromium tells of lost data. */
export function canLogBreak(): boolean {
  // Where there is no IndexedDB at all, that is told when it is opened.
  return 'IDBVersionChangeEvent' in globalThis && 'dataLoss' in IDBVersionChangeEvent.prototype;
}
