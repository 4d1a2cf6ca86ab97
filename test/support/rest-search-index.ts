// Internal to the package: no app has to do with it.
import { indexLock } from '../../packages/store/src/search/search-index.js';

/**
 * Takes the search index of a database for as long as this page lives, so that no tab is at it when it
 * is put to sleep: out of its back/forward cache the browser throws a page with a lock that another one
 * waits for.
 */
export async function restSearchIndex(databaseName: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const hold = async (): Promise<void> => {
      resolve();
      await new Promise(() => undefined);
    };
    navigator.locks.request(indexLock(databaseName), hold).catch(reject);
  });
}
