import { desktopError } from './desktop-error.js';

/** A pairing, as the page stores it. */
export interface Pairing {
  /** The id by which the bridge finds the pairing. */
  readonly id: string;
  /** The key for HMAC with SHA-256. It is not extractable, so no script can read its bytes. */
  readonly key: CryptoKey;
}

/** The name of a separate database, because the key does not belong to the user's data. */
const DATABASE = 'inpage-mcp-desktop';
const STORE = 'pairings';

/** The timeout of a transaction: if the disk is full, it may never settle. */
const TIMEOUT_MS = 10_000;

/**
 * Reads or changes the pairing with the bridge at a port. Resolves when the change is on the disk.
 *
 * @param use Makes the request to the store, such as `(store) => store.get(port)`.
 * @throws {RuntimeError} `unavailable` if the page has no storage, or the browser does not answer for
 *   10 seconds.
 */
export async function usePairings<Value>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const used = new Promise<Value>((resolve, reject) => {
    timer = setTimeout(reject, TIMEOUT_MS);
    const opening = indexedDB.open(DATABASE);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const request = use(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      // The database closes when the transaction has ended.
      database.close();
    };
  });
  try {
    return await used;
  } catch (cause) {
    throw desktopError('unavailable', cause);
  } finally {
    clearTimeout(timer);
  }
}
