import { expect } from '@open-wc/testing';
import { openStore, type StoreError } from '@inpage-mcp/store';
import { completionOf, deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';

/** Opens a database at a version, making it as the first version of the software did. */
function openVersion1(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('notes', { keyPath: 'id' });
      request.result.createObjectStore('note-texts');
      request.result.createObjectStore('files', { keyPath: 'path' });
      request.result.createObjectStore('file-bytes');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const times = { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_001, revision: 3 };
const oldNotes = Array.from({ length: 300 }, (_, index) => ({
  record: {
    id: `01HZZZZZZZ${String(index).padStart(16, '0')}`,
    title: `Title ${index}`,
    tags: ['old', `tag ${index}`],
    size: index === 7 ? 0 : 18 + String(index).length,
    ...times,
  },
  text: index === 7 ? '' : `\n# Note number ${index}\n\n`,
}));
const oldFile = { path: 'a/b.bin', mediaType: 'application/octet-stream', size: 3, ...times };
const oldBytes = [1, 2, 255];

async function makeVersion1(name: string): Promise<void> {
  const database = await openVersion1(name);
  const transaction = database.transaction([...database.objectStoreNames], 'readwrite');
  for (const { record, text } of oldNotes) {
    transaction.objectStore('notes').add(record);
    transaction.objectStore('note-texts').add(text, record.id);
  }
  transaction.objectStore('files').add(oldFile);
  transaction.objectStore('file-bytes').add(new Blob([Uint8Array.from(oldBytes)]), oldFile.path);
  await completionOf(transaction);
  database.close();
}

describe('the migration from version 1', () => {
  let name: string;

  beforeEach(async () => {
    name = freshDatabaseName();
    await makeVersion1(name);
  });

  afterEach(() => deleteDatabase(name));

  it('keeps every note, its text and every file, and fills in the first lines', async () => {
    const store = await openStore(name);
    const { notes } = await store.notes.list({ limit: 1_000 });
    expect(notes).to.deep.equal(
      oldNotes
        .map(({ record }, index) => ({
          ...record,
          firstLine: index === 7 ? '' : `Note number ${index}`,
        }))
        .toReversed(),
    );
    for (const { record, text } of oldNotes) {
      expect((await store.notes.get(record.id)).text).to.equal(text);
    }
    const { file, blob } = await store.files.read(oldFile.path);
    expect(file).to.deep.equal(oldFile);
    expect([...new Uint8Array(await blob.arrayBuffer())]).to.deep.equal(oldBytes);
    store.close();
  });

  it('makes a database in which everything new works', async () => {
    const store = await openStore(name);
    const { id } = oldNotes[0]!.record;
    const options = { idempotencyKey: 'key' };
    const appended = await store.notes.append(id, 'more', options);
    expect(await store.notes.append(id, 'more', options)).to.deep.equal(appended);
    expect(appended).to.include({ revision: 4, text: '\n# Note number 0\n\nmore' });
    expect((await store.notes.search('number')).total).to.equal(oldNotes.length - 1);
    store.close();
  });

  it('leaves everything as it was when it fails, and comes through the next time', async () => {
    const { update } = IDBCursor.prototype;
    let updates = 0;
    IDBCursor.prototype.update = function spoilt(value) {
      updates += 1;
      if (updates === 100) throw new Error('spoilt');
      return update.call(this, value);
    };
    try {
      const error = (await failureOf(openStore(name))) as StoreError;
      expect(error.code).to.equal('failed');
      expect(String(error.cause)).to.equal('Error: spoilt');
    } finally {
      IDBCursor.prototype.update = update;
    }
    const database = await openVersion1(name);
    expect([...database.objectStoreNames]).not.to.include('once');
    database.close();
    const store = await openStore(name);
    expect(await store.notes.count()).to.equal(oldNotes.length);
    expect((await store.notes.get(oldNotes[200]!.record.id)).firstLine).to.equal('Note number 200');
    store.close();
  });
});
