import { expect } from '@open-wc/testing';
import { startRuntime } from '@inpage-mcp/runtime';
import { completionOf, deleteDatabase, freshDatabaseName } from '../support/database.js';

const BATCH = 10_000;
const TIMES = { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, revision: 1 };

const idOf = (index: number): string => `01HZZZZZZZ${String(index).padStart(16, '0')}`;

/** A database as an earlier version has made it, with notes only. */
async function makeDatabase(name: string, version: 1 | 2, notes: number): Promise<void> {
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

describe('a large database of an earlier version', () => {
  for (const [version, notes] of [
    [1, 5_000],
    [2, 50_000],
  ] as const) {
    it(`${version} is opened, listed, counted and searched`, async () => {
      const databaseName = freshDatabaseName();
      await makeDatabase(databaseName, version, notes);
      const runtime = await startRuntime({ databaseName });
      const { notes: listed } = await runtime.notes.list({ limit: 1 });
      const newest = notes - 1;
      expect(listed[0]).to.include({ id: idOf(newest), title: `Note ${newest}` });
      expect(listed[0]?.firstLine).to.equal(version === 1 ? `A text ${newest % 10}` : 'A text');
      expect(await runtime.storage.estimate()).to.include({ notes, files: 0 });
      const { matches } = await runtime.notes.search(`note ${newest - 5}`);
      expect(matches.map(({ note }) => note.id)).to.deep.equal([idOf(newest - 5)]);
      await runtime.close();
      await deleteDatabase(databaseName);
      localStorage.removeItem(`inpage-mcp:${databaseName}`);
    }).timeout(180_000);
  }
});
