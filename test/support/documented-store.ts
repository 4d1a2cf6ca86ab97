import { openStore } from '@inpage-mcp/store';
import { openDB } from 'idb';

const NOVEMBER = (day: number): number => Date.UTC(2026, 10, day);

/** A PNG of one dot. */
const DOT = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);

/** The user of docs/resources.md: what the store would have written, with ids and times that stay. */
export async function writeDocumentedStore(databaseName: string): Promise<void> {
  (await openStore(databaseName)).close();
  const database = await openDB(databaseName);
  const transaction = database.transaction(database.objectStoreNames, 'readwrite');
  const note = (id: string, title: string, firstLine: string, text: string, more: object): void => {
    const [size, at] = [new Blob([text]).size, NOVEMBER(Number(id.at(-1)))];
    const times = { createdAt: at, updatedAt: at, revision: 1 };
    void transaction.objectStore('notes').put({ id, title, firstLine, size, ...times, ...more });
    void transaction.objectStore('note-texts').put(text, id);
    void transaction.objectStore('unindexed').put(0, ['note', id]);
  };
  note('01JD0000000000000000000001', 'Plan', 'The plan', '# The plan\n\nDo it all.', {
    tags: ['work'],
    audience: ['assistant'],
    priority: 0.9,
  });
  note('01JD0000000000000000000002', 'Shopping', 'milk', '- milk\n- bread\n\n🥖', { tags: [] });
  const file = (path: string, mediaType: string, bytes: Blob): void => {
    const times = { createdAt: NOVEMBER(3), updatedAt: NOVEMBER(3), revision: 1 };
    void transaction.objectStore('files').put({ path, mediaType, size: bytes.size, ...times });
    void transaction.objectStore('file-bytes').put(bytes, path);
  };
  file('photos/dot.png', 'image/png', new Blob([DOT], { type: 'image/png' }));
  file('readme.txt', 'text/plain', new Blob(['Hello!'], { type: 'text/plain' }));
  const heads = transaction.objectStore('head');
  const head = (await heads.get('head')) as object;
  void heads.put({ ...head, notes: 2, files: 2 }, 'head');
  await transaction.done;
  database.close();
}
