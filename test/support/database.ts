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
