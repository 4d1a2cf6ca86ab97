import { useObjectStore } from '../data/use-object-store.js';
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
  try {
    return await useObjectStore({ database: DATABASE, store: STORE, mode }, use);
  } catch (cause) {
    throw desktopError('unavailable', cause);
  }
}
