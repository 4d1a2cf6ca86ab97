import { completionOf } from './database.js';

const BATCH = 10_000;
const TIMES = { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, revision: 1 };

/** The id of a note of {@link makeLargeDatabase}, by its number from 0 on. */
export const idOf = (index: number): string => `01HZZZZZZZ${String(index).padStart(16, '0')}`;

/** Makes a database as an earlier version has made it, with notes only, past all code of ours. */
export async function makeLargeDatabase(
  name: string,
  version: 1 | 2,
  notes: number,
): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('notes', { keyPath: 'id' });
      request.result.createObjectStore('note-texts');
      request.result.createObjectStore('files', { keyPath: 'path' });
      request.result.createObjectStore('file-bytes');
      if (version < 2) return;
      request.result.createObjectStore('once', { keyPath: 'key' }).createIndex('by-time', 'at');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('It could not be opened.'));
  });
  for (let first = 0; first < notes; first += BATCH) {
    const transaction = database.transaction(['notes', 'note-texts'], 'readwrite');
    for (let index = first; index < Math.min(first + BATCH, notes); index += 1) {
      const note = { id: idOf(index), title: `Note ${index}`, tags: [], size: 12, ...TIMES };
      const firstLine = version < 2 ? {} : { firstLine: 'A text' };
      transaction.objectStore('notes').put({ ...note, ...firstLine });
      transaction.objectStore('note-texts').put(`# A text ${index % 10}\n`, note.id);
    }
    await completionOf(transaction);
  }
  database.close();
}
