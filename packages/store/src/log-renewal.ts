import { deleteDB, openDB } from 'idb';

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
  const name = `${databaseName}:renewal`;
  // What a killed tab has left is as good; another tab that does the same lets go at once.
  const made = await openDB(name, undefined, {
    blocking: (_current, _next, { target }) => letGo(target),
  });
  made.close();
  await deleteDB(name);
}

/** Whether this is a browser whose log can break off. Only Chromium tells of lost data. */
export function canLogBreak(): boolean {
  return 'dataLoss' in IDBVersionChangeEvent.prototype;
}

function letGo(connection: EventTarget | null): void {
  if (connection instanceof IDBDatabase) connection.close();
}
