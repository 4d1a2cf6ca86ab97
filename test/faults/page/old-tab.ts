import { restoreDatabase, type DatabaseDump } from '../../support/database-dump.js';

/** Makes a database of an earlier version and holds it open, as a tab of that version does. */
export async function holdOldDatabase(databaseName: string, dump: DatabaseDump): Promise<void> {
  const database = await restoreDatabase(databaseName, dump);
  database.onversionchange = () => database.close();
}

/** Deletes a database, as another script of the site may. */
export async function deleteDatabaseOfOthers(databaseName: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error('It could not be deleted.'));
  });
}
