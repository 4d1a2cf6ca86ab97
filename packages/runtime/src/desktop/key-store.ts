import type { Fail } from './desktop-error.js';

/** What the page keeps of a pairing. */
export interface Pairing {
  /** By which the bridge knows it. */
  readonly id: string;
  /** For HMAC with SHA-256. No script can read its bytes, this one included. */
  readonly key: CryptoKey;
}

/** A database of its own: the user's data and the key have nothing to do with each other. */
const DATABASE = 'inpage-mcp-desktop';
const STORE = 'pairings';

/** A full disk can leave a transaction pending for ever. */
const TIMEOUT_MS = 10_000;

/**
 * Reads or changes the pairing with the bridge at a port. Resolves when the change is on the disk.
 *
 * @param use What to do with the store, such as `(store) => store.get(port)`.
 * @throws {RuntimeError} `unavailable` if the page has no storage, or the browser does not answer for
 *   10 seconds.
 */
export async function usePairings<Value>(
  fail: Fail,
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
      // It closes when the transaction has ended.
      database.close();
    };
  });
  try {
    return await used;
  } catch (cause) {
    throw fail('unavailable', cause);
  } finally {
    clearTimeout(timer);
  }
}
