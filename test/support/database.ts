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
  const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The request failed.'));
    });
  const database = await settle(indexedDB.open(name));
  const stores = [...database.objectStoreNames];
  const transaction = database.transaction(stores);
  const counts = stores.map(
    async (store) => [store, await settle(transaction.objectStore(store).count())] as const,
  );
  const result = Object.fromEntries(await Promise.all(counts));
  database.close();
  return result;
}
