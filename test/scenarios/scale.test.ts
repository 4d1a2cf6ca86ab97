import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import type { Head } from '@inpage-mcp/store';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { answerOf, completionOf, deleteDatabase, freshDatabaseName } from '../support/database.js';
import { sizeOf } from '../support/test-size.js';

/** More than 64 of the smallest pages, where an official client stops. */
const NOTES = sizeOf({ quick: 5_000, ci: 13_000, soak: 100_000 });
const FILES = NOTES / 10;
const BATCH = 10_000;

const TIMES = { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, revision: 1 };

const noteId = (index: number): string => `01HZZZZZZZ${String(index).padStart(16, '0')}`;
const filePath = (index: number): string => `file ${String(index).padStart(5, '0')}.txt`;

/** Puts in what years of use would, thousands to a transaction. */
async function fill(databaseName: string): Promise<void> {
  const database = await answerOf(indexedDB.open(databaseName));
  const blob = new Blob(['a'], { type: 'text/plain' });
  for (let first = 0; first < NOTES + FILES; first += BATCH) {
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names, 'readwrite');
    const store = (name: string): IDBObjectStore => transaction.objectStore(name);
    for (let index = first; index < Math.min(first + BATCH, NOTES + FILES); index += 1) {
      if (index < NOTES) {
        const title = `Note ${index}`;
        const note = { id: noteId(index), title, tags: [], firstLine: '', size: 4, ...TIMES };
        store('notes').put(note);
        store('note-texts').put('text', note.id);
        store('unindexed').put(1, ['note', note.id]);
      } else {
        const path = filePath(index - NOTES);
        store('files').put({ path, mediaType: blob.type, size: 1, ...TIMES });
        store('file-bytes').put(blob, path);
      }
    }
    const heads = store('head');
    const head = (await answerOf(heads.get('head'))) as Head;
    heads.put({ ...head, sequence: 1, notes: NOTES, files: FILES }, 'head');
    await completionOf(transaction);
  }
  database.close();
}

describe(`${NOTES} notes and ${FILES} files`, () => {
  let databaseName: string;
  let runtime: Runtime;

  before(async () => {
    databaseName = freshDatabaseName();
    await (await startRuntime({ databaseName })).close();
    await fill(databaseName);
    runtime = await startRuntime({ databaseName });
  });

  after(async () => {
    await runtime.close();
    await deleteDatabase(databaseName);
    localStorage.removeItem(`inpage-mcp:${databaseName}`);
  });

  it('are all listed to the official client, each once', async () => {
    const client = new Client({ name: 'scale', version: '1' });
    await client.connect(new MessagePortTransport(await runtime.openPort()));
    const { resources } = await client.listResources();
    const uris = new Set(resources.map(({ uri }) => uri));
    expect(uris.size).to.equal(resources.length);
    for (let index = 0; index < NOTES; index += 1) {
      if (!uris.has(`note:///${noteId(index)}`)) expect.fail(`note ${index} is not listed`);
    }
    for (let index = 0; index < FILES; index += 1) {
      const uri = `file:///${encodeURIComponent(filePath(index))}`;
      if (!uris.has(uri)) expect.fail(`${uri} is not listed`);
    }
    await client.close();
  });

  it('are counted, and counted on', async () => {
    expect(await runtime.storage.estimate()).to.include({ notes: NOTES, files: FILES });
    const { id } = await runtime.notes.create({ title: 'one more', text: '' });
    expect(await runtime.storage.estimate()).to.include({ notes: NOTES + 1, files: FILES });
    await runtime.notes.delete(id);
  });

  it('are searched, however much of them is in the index yet', async () => {
    const find = async (query: string): Promise<string[]> =>
      (await runtime.notes.search(query)).matches.map(({ note }) => note.title);
    const last = `${NOTES - 1}`;
    expect(await find(last)).to.deep.equal([`Note ${last}`]);
    const { id } = await runtime.notes.create({ title: `zebra ${last}`, text: '' });
    expect(await find(`zebra ${last.slice(0, 3)}`)).to.deep.equal([`zebra ${last}`]);
    await runtime.notes.delete(id);
    expect(await find('zebra')).to.deep.equal([]);
    expect((await runtime.notes.search('note')).total).to.equal(NOTES);
    const { matches } = await runtime.files.search('00321');
    expect(matches.map(({ path }) => path)).to.deep.equal([filePath(321)]);
  });
});
