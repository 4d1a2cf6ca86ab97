import type { NoteSummary } from '@inpage-mcp/store';

/**
 * Fills the database of a runtime that has been started. Straight into the object stores, in one
 * transaction: making each note by itself, as users do, takes far longer than the benchmark.
 */
export async function fillWithNotes(databaseName: string, count: number): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  const transaction = database.transaction(['notes', 'note-texts'], 'readwrite');
  for (let index = 0; index < count; index++) {
    const text = `# Note ${index}\n\n${'Some words that fill a line of a note. '.repeat(5)}`;
    const summary = summaryOf(index, text.length);
    transaction.objectStore('notes').add(summary);
    transaction.objectStore('note-texts').add(text, summary.id);
  }
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  database.close();
}

/** A record as the store keeps it; the digits of the id make a valid ULID. */
function summaryOf(index: number, size: number): NoteSummary {
  const now = Date.now();
  return {
    id: `01HZZZZZZZ${String(index).padStart(16, '0')}`,
    title: `Note ${index} about something`,
    tags: ['bench'],
    firstLine: 'A line of a note.',
    size,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

/** The answer to a request of IndexedDB. */
export function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
