import type { NoteSummary, RestoredFile, Store, StoredFile } from '@inpage-mcp/store';
import { entriesOf } from '../../packages/store/src/archive/read-zip.js';
import { openZip, readBlob } from '../../packages/store/src/archive/read-zip-entries.js';
import { firstLineOf } from '../../packages/store/src/records/first-line.js';
import { completionOf } from '../support/database.js';

/** What an archive has, by name and in its order. */
export async function openArchive(blob: Blob): Promise<Map<string, Blob>> {
  const zip = await openZip(blob);
  const entries = new Map<string, Blob>();
  for await (const entry of entriesOf(zip.bytes, zip.directory)) {
    entries.set(entry.name, await readBlob(zip, entry));
  }
  return entries;
}

/**
 * Puts notes and files into a store, the notes past all code of ours: one by one they take long, and
 * get other times.
 *
 * @param damage Runs in a transaction over notes and files when they are there.
 */
export async function storeWith(
  { name, store }: { name: string; store: Store },
  notes: readonly { summary: Omit<NoteSummary, 'firstLine' | 'size'>; text: string }[],
  files: readonly { path: string; bytes: Uint8Array<ArrayBuffer>; record: object }[],
  damage?: (transaction: IDBTransaction, files: readonly StoredFile[]) => void,
): Promise<void> {
  const restored: StoredFile[] = [];
  for (const { path, bytes, record } of files) {
    const given = { path, ...record } as RestoredFile;
    restored.push(await store.files.restore(given, new Blob([bytes])));
  }
  restored.sort((a, b) => (a.path < b.path ? -1 : 1));
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('It did not open.'));
  });
  const names = ['notes', 'note-texts', 'files', 'file-bytes', 'head'];
  const transaction = database.transaction(names, 'readwrite');
  for (const { summary, text } of notes) {
    const size = new TextEncoder().encode(text).length;
    transaction.objectStore('notes').put({ ...summary, firstLine: firstLineOf(text), size });
    transaction.objectStore('note-texts').put(text, summary.id);
  }
  const heads = transaction.objectStore('head');
  const reading = heads.get('head');
  reading.onsuccess = () => {
    const head = reading.result as { notes: number };
    heads.put({ ...head, notes: head.notes + notes.length }, 'head');
  };
  damage?.(transaction, restored);
  await completionOf(transaction);
  database.close();
}
