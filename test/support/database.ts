/** A name no other test uses: all test files share one browser profile. */
export function freshDatabaseName(): string {
  return `test-${crypto.randomUUID()}`;
}

/** Deletes the database once its connections are closed; call it last. */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** How many records each object store of a database holds, counted past all code of ours. */
export async function countRecords(name: string): Promise<{ [store: string]: number }> {
  const database = await answerOf(indexedDB.open(name));
  const stores = [...database.objectStoreNames];
  const transaction = database.transaction(stores);
  const counts = stores.map(
    async (store) => [store, await answerOf(transaction.objectStore(store).count())] as const,
  );
  const result = Object.fromEntries(await Promise.all(counts));
  database.close();
  return result;
}

/** The records of an object store, read past all code of ours. */
export async function readRecords(name: string, store: string): Promise<unknown[]> {
  const database = await answerOf(indexedDB.open(name));
  const records = await answerOf(database.transaction(store).objectStore(store).getAll());
  database.close();
  return records;
}

/** Puts records with keys of their own into an object store, past all code of ours. */
export async function putRecords(
  name: string,
  store: string,
  records: readonly unknown[],
): Promise<void> {
  const database = await answerOf(indexedDB.open(name));
  const transaction = database.transaction(store, 'readwrite');
  for (const record of records) transaction.objectStore(store).put(record);
  await completionOf(transaction);
  database.close();
}

/** Deletes a record of an object store, past all code of ours. */
export async function deleteRecord(name: string, store: string, key: IDBValidKey): Promise<void> {
  const database = await answerOf(indexedDB.open(name));
  const transaction = database.transaction(store, 'readwrite');
  transaction.objectStore(store).delete(key);
  await completionOf(transaction);
  database.close();
}

/** Deletes all records of an object store, past all code of ours. */
export async function clearRecords(name: string, store: string): Promise<void> {
  const database = await answerOf(indexedDB.open(name));
  const transaction = database.transaction(store, 'readwrite');
  transaction.objectStore(store).clear();
  await completionOf(transaction);
  database.close();
}

/**
 * How many transactions begin while `run` runs.
 *
 * @param store Only those over this object store. Default: all.
 */
export async function countingTransactions(
  run: () => Promise<unknown>,
  store?: string,
): Promise<number> {
  const { transaction } = IDBDatabase.prototype;
  let count = 0;
  IDBDatabase.prototype.transaction = function counted(stores, ...args) {
    if (store === undefined || [...stores].includes(store)) count += 1;
    return transaction.call(this, stores, ...args);
  };
  try {
    await run();
  } finally {
    IDBDatabase.prototype.transaction = transaction;
  }
  return count;
}

/** Has the search index of a database catch up with so many notes that were there before all others. */
export async function fillBacklog(name: string, count: number): Promise<void> {
  const database = await answerOf(indexedDB.open(name));
  const transaction = database.transaction('unindexed', 'readwrite');
  const unindexed = transaction.objectStore('unindexed');
  for (let note = 0; note < count; note += 1)
    unindexed.put(1, ['note', `0${String(note).padStart(25, '0')}`]);
  await completionOf(transaction);
  database.close();
}

/**
 * Makes every other write wait, with a transaction over all object stores that stays open.
 *
 * @returns A function that ends the transaction.
 */
export async function delayWrites(name: string): Promise<() => Promise<void>> {
  const database = await answerOf(indexedDB.open(name));
  const stores = [...database.objectStoreNames];
  const transaction = database.transaction(stores, 'readwrite');
  const completed = completionOf(transaction);
  let isReleased = false;
  // A transaction ends by itself once it has no request left.
  const request = (): void => {
    if (isReleased) return;
    transaction.objectStore(stores[0]!).count().onsuccess = request;
  };
  request();
  return async () => {
    isReleased = true;
    await completed;
    database.close();
  };
}

/** The answer to a request of IndexedDB. */
export function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The request failed.'));
  });
}

/** When a transaction has completed; rejects when it was aborted. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('It was aborted.'));
  });
}
