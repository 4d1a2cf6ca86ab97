import type { Head, NoteSummary, StoredFile } from '@inpage-mcp/store';

/** The most records that one transaction is given. */
const BATCH = 10_000;

/**
 * Fills the database of a runtime that has been started. Straight into the object stores, thousands
 * in one transaction: making each note by itself, as users do, takes far longer than the benchmark.
 * The search index is notified of the notes, too.
 */
export async function fillWithNotes(databaseName: string, count: number): Promise<void> {
  const stores = ['notes', 'note-texts', 'unindexed'];
  await fill(databaseName, stores, count, 'note', (transaction, index, sequence) => {
    const text = `# Note ${index}\n\n${'Some words that fill a line of a note. '.repeat(5)}`;
    const summary = summaryOf(index, text.length);
    transaction.objectStore('notes').add(summary);
    transaction.objectStore('note-texts').add(text, summary.id);
    transaction.objectStore('unindexed').put(sequence, ['note', summary.id]);
  });
}

/** The same with small files, some in each of some folders. */
export async function fillWithFiles(databaseName: string, count: number): Promise<void> {
  const blob = new Blob(['The bytes of a small file.'], { type: 'text/plain' });
  await fill(databaseName, ['files', 'file-bytes'], count, 'file', (transaction, index) => {
    const file = fileOf(index, blob);
    transaction.objectStore('files').add(file);
    transaction.objectStore('file-bytes').add(blob, file.path);
  });
}

/** When the search index knows everything, which it does not at once. */
export async function indexed(databaseName: string): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  const waiting = () =>
    answerOf(database.transaction('unindexed').objectStore('unindexed').count());
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 200));
  database.close();
}

/** The id of one of the notes, by its number; the digits make a valid ULID. */
export function noteId(index: number): string {
  return `01HZZZZZZZ${String(index).padStart(16, '0')}`;
}

async function fill(
  databaseName: string,
  stores: string[],
  count: number,
  kind: 'note' | 'file',
  add: (transaction: IDBTransaction, index: number, sequence: number) => void,
): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  for (let first = 0; first < count; first += BATCH) {
    const transaction = database.transaction([...stores, 'head', 'log'], 'readwrite');
    const heads = transaction.objectStore('head');
    const head = (await answerOf(heads.get('head'))) as Head;
    const end = Math.min(first + BATCH, count);
    const counted = { ...head, sequence: head.sequence + 1 };
    counted[`${kind}s`] += end - first;
    heads.put(counted, 'head');
    transaction.objectStore('log').put('everything', counted.sequence);
    for (let index = first; index < end; index++) add(transaction, index, counted.sequence);
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }
  database.close();
}

/** A record as the store keeps it. */
function summaryOf(index: number, size: number): NoteSummary {
  const now = Date.now();
  return {
    id: noteId(index),
    title: `Note ${index} about something`,
    tags: ['bench'],
    firstLine: 'A line of a note.',
    size,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
}

function fileOf(index: number, blob: Blob): StoredFile {
  const now = Date.now();
  return {
    path: `folder ${String(index % 50).padStart(2, '0')}/file ${index}.txt`,
    mediaType: blob.type,
    size: blob.size,
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
