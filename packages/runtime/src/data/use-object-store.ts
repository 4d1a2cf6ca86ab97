/** The timeout of a transaction: if the disk is full, it may never settle. */
const TIMEOUT_MS = 10_000;

/** An object store in a separate database, which is created if it does not exist. */
export interface ObjectStorePlace {
  database: string;
  store: string;
  /** The key of its values. Default: the key is passed with each value. */
  keyPath?: string;
  mode: IDBTransactionMode;
}

/**
 * Reads or changes one value. Resolves when the change is on the disk.
 *
 * @param use Makes the request to the object store, such as `(store) => store.get(key)`.
 * @throws if the page has no storage, or the browser does not answer for 10 seconds.
 */
export async function useObjectStore<Value>(
  { database: name, store, keyPath, mode }: ObjectStorePlace,
  use: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const used = new Promise<Value>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The browser does not answer.')), TIMEOUT_MS);
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(store, { keyPath: keyPath ?? null });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      try {
        const transaction = database.transaction(store, mode, { durability: 'strict' });
        const request = use(transaction.objectStore(store));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      } catch (error) {
        reject(error);
      }
      // The database closes when the transaction has ended.
      database.close();
    };
  });
  try {
    return await used;
  } finally {
    clearTimeout(timer);
  }
}
