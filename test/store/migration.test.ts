import { expect } from '@esm-bundle/chai';
import {
  openStore,
  type Note,
  type NoteSummary,
  type StoredFile,
  type StoreError,
} from '@inpage-mcp/store';
import { answerOf, deleteDatabase, freshDatabaseName } from '../support/database.js';
import {
  dumpDatabase,
  fromJson,
  restoreDatabase,
  type DatabaseDump,
} from '../support/database-dump.js';
import { failureOf } from '../support/failure.js';
import { codeOf } from './store-under-test.js';
import { itInAll } from '../support/it-in-all.js';

/** Those of which there is a database, made by the code of that time. */
const EARLIER_VERSIONS = [1, 2, 3, 4];

async function fixtureOf(version: number): Promise<DatabaseDump> {
  const url = new URL(`../fixtures/databases/v${version}.json`, import.meta.url);
  return (await (await fetch(url)).json()) as DatabaseDump;
}

function recordsOf(dump: DatabaseDump, store: string): DatabaseDump['stores'][0]['records'] {
  return dump.stores.find(({ name }) => name === store)?.records ?? [];
}

function notesOf(dump: DatabaseDump): Note[] {
  const texts = new Map(recordsOf(dump, 'note-texts').map(({ key, value }) => [key, value]));
  return recordsOf(dump, 'notes').map(({ value }) => {
    const summary = value as NoteSummary;
    return { ...summary, text: texts.get(summary.id) as string };
  });
}

function noteTitled(dump: DatabaseDump, title: string): Note {
  return notesOf(dump).find((note) => note.title === title)!;
}

function summaryOf(note: Note): NoteSummary {
  const { text: _text, ...summary } = note;
  return summary;
}

async function bytesOf(blob: Blob): Promise<number[]> {
  return [...new Uint8Array(await blob.arrayBuffer())];
}

/** Runs something with a method in which the nth call does something else as well, before. */
async function withTrouble<Owner extends object>(
  owner: Owner,
  method: keyof Owner,
  { call, trouble }: { call: number; trouble: (owner: Owner) => void },
  run: () => Promise<void>,
): Promise<void> {
  const original = owner[method] as (...args: unknown[]) => unknown;
  let calls = 0;
  const troubled = function troubled(this: Owner, ...args: unknown[]): unknown {
    calls += 1;
    if (calls === call) trouble(this);
    return original.apply(this, args);
  };
  owner[method] = troubled as Owner[keyof Owner];
  try {
    await run();
  } finally {
    owner[method] = original as Owner[keyof Owner];
  }
}

describe('the migrations', () => {
  let name: string;

  beforeEach(() => {
    name = freshDatabaseName();
  });

  afterEach(() => deleteDatabase(name));

  /** How a note of an earlier version is listed now. */
  async function withFirstLine(note: Note): Promise<Note> {
    // Version 1 has none.
    if ((note as Partial<Note>).firstLine !== undefined) return note;
    const { firstLine } = noteTitled(await fixtureOf(2), note.title);
    return { ...note, firstLine };
  }

  for (const version of EARLIER_VERSIONS) {
    describe(`from version ${version}`, () => {
      let dump: DatabaseDump;

      beforeEach(async () => {
        dump = await fixtureOf(version);
        // Keys are forgotten after a day, and the fixture is older.
        for (const { value } of recordsOf(dump, 'once')) (value as { at: number }).at = Date.now();
        (await restoreDatabase(name, dump)).close();
      });

      it('keep every note and its text', async () => {
        const store = await openStore(name);
        const expected = await Promise.all(notesOf(dump).map(withFirstLine));
        const { notes } = await store.notes.list({ limit: 1_000 });
        expect(notes).to.deep.equal(expected.map(summaryOf).toReversed());
        const read = await Promise.all(expected.map(({ id }) => store.notes.get(id)));
        expect(read).to.deep.equal(expected);
        store.close();
      });

      it('keep every file and its bytes', async () => {
        const store = await openStore(name);
        const records = recordsOf(dump, 'files').map(({ value }) => value as StoredFile);
        expect((await store.files.list({ limit: 1_000 })).files).to.deep.equal(records);
        for (const { key, value } of recordsOf(dump, 'file-bytes')) {
          const { blob } = await store.files.read(key as string);
          expect(await bytesOf(blob)).to.deep.equal(await bytesOf(fromJson(value) as Blob));
        }
        store.close();
      });

      it('count what there is', async () => {
        const store = await openStore(name);
        const notes = recordsOf(dump, 'notes').length;
        const files = recordsOf(dump, 'files').length;
        expect(store.changes.head).to.include({ notes, files });
        expect(await store.notes.count()).to.equal(notes);
        expect(await store.files.count()).to.equal(files);
        await store.notes.create({ title: 'One more', text: '' });
        expect(store.changes.head).to.include({ notes: notes + 1, files });
        store.close();
      });

      it('make a database in which old notes are found, new ones too', async () => {
        const store = await openStore(name);
        const { id } = await store.notes.create({ title: 'Newer', text: '東京 again' });
        const found = async (query: string) =>
          (await store.notes.search(query)).matches.map(({ note }) => note.id).toSorted();
        expect(await found('Plain')).to.deep.equal([noteTitled(dump, 'Plain').id]);
        expect(await found('東京')).to.deep.equal([noteTitled(dump, '日本語のメモ').id, id]);
        expect(await found('before')).to.deep.equal([]);
        store.close();
      });

      it('make a database in which old notes are written once for each key', async () => {
        const store = await openStore(name);
        const { id } = noteTitled(dump, 'Plain');
        const appended = await store.notes.append(id, 'more', { idempotencyKey: 'key' });
        expect(await store.notes.append(id, 'more', { idempotencyKey: 'key' })).to.deep.equal(
          appended,
        );
        expect(appended).to.include({ revision: 2, text: 'The first line\n\nand more\nmore' });
        store.close();
      });

      it('make a database in which old files are changed, moved and deleted', async () => {
        const store = await openStore(name);
        const files = store.changes.head?.files ?? 0;
        await store.files.move('binary/every byte.bin', 'moved.bin');
        expect(await bytesOf((await store.files.read('moved.bin')).blob)).to.have.length(256);
        const twice = await store.files.write('twice.txt', new Blob(['three']));
        expect(twice).to.include({ revision: 3, size: 5 });
        await store.files.delete('empty.bin');
        expect(store.changes.head?.files).to.equal(files - 1);
        store.close();
      });

      it('leave everything as it was when one throws, and come through the next time', async () => {
        const before = JSON.stringify(await dumpDatabase(name));
        const trouble = (): void => {
          throw new Error('spoilt');
        };
        const { prototype } = IDBDatabase;
        await withTrouble(prototype, 'createObjectStore', { call: 2, trouble }, async () => {
          const error = (await failureOf(openStore(name))) as Error;
          expect(String(error.cause)).to.equal('Error: spoilt');
        });
        expect(JSON.stringify(await dumpDatabase(name)) === before).to.equal(true);
        const store = await openStore(name);
        expect(await store.notes.count()).to.equal(notesOf(dump).length);
        store.close();
      });

      // The migrations of versions 3 and 4 only make object stores.
      if (version < 3) {
        it('leave everything as it was when the browser ends one, as for want of room', async () => {
          const before = JSON.stringify(await dumpDatabase(name));
          const trouble = ({ transaction }: IDBObjectStore): void => {
            void Promise.resolve().then(() => transaction.abort());
          };
          const { prototype } = IDBObjectStore;
          await withTrouble(prototype, 'put', { call: 2, trouble }, async () => {
            const { code, message } = (await failureOf(openStore(name))) as StoreError;
            expect(code).to.equal('failed');
            expect(message).to.contain('ended an upgrade');
          });
          expect(JSON.stringify(await dumpDatabase(name)) === before).to.equal(true);
          const store = await openStore(name);
          expect(await store.notes.count()).to.equal(notesOf(dump).length);
          store.close();
        });
      }

      it('come through when a tab of the old version lets go', async () => {
        const old = await answerOf(indexedDB.open(name, version));
        old.onversionchange = () => old.close();
        const store = await openStore(name);
        expect(await store.notes.count()).to.equal(notesOf(dump).length);
        store.close();
      });

      it('wait for a write of the old version that is under way', async () => {
        const old = await answerOf(indexedDB.open(name, version));
        old.onversionchange = () => old.close();
        const { id } = noteTitled(dump, 'Plain');
        const transaction = old.transaction('note-texts', 'readwrite');
        transaction.objectStore('note-texts').put('of the last moment', id);
        const store = await openStore(name);
        expect((await store.notes.get(id)).text).to.equal('of the last moment');
        store.close();
      });
    });
  }

  it('from version 2 keep the outcome of writes that are tried again', async () => {
    const dump = await fixtureOf(2);
    for (const { value } of recordsOf(dump, 'once')) (value as { at: number }).at = Date.now();
    (await restoreDatabase(name, dump)).close();
    const store = await openStore(name);
    const { id } = noteTitled(dump, 'Once');
    const note = { title: 'Once', text: 'a' };
    // What the write made then, with the text of now.
    const retried = await store.notes.create(note, { idempotencyKey: 'create' });
    expect(retried).to.include({ id, revision: 1, text: 'ab' });
    expect(
      await codeOf(store.notes.create({ ...note, title: 'x' }, { idempotencyKey: 'create' })),
    ).to.equal('conflict');
    // Files are distinguished by their digest now, which that version did not have. A retry across
    // the upgrade is refused rather than written a second time.
    const again = store.files.write('once.txt', new Blob(['once']), { idempotencyKey: 'write' });
    expect(await codeOf(again)).to.equal('conflict');
    expect((await store.files.get('once.txt')).revision).to.equal(1);
    expect(store.changes.head).to.include({ sequence: 0 });
    store.close();
  });

  it('from version 3 add what a sync and the history need, and nothing is in it', async () => {
    (await restoreDatabase(name, await fixtureOf(3))).close();
    const store = await openStore(name);
    await store.notes.create({ title: 'New', text: '' });
    expect(store.changes.head).not.to.have.property('syncs');
    store.close();
    const { version, stores } = await dumpDatabase(name);
    expect(version).to.equal(5);
    for (const added of ['sync', 'synced', 'unsynced', 'history', 'history-contents']) {
      expect(stores.find((store) => store.name === added)?.records).to.deep.equal([]);
    }
  });

  itInAll(
    'are blocked by a tab of the old version that does not let go, until it does',
    async () => {
      const old = await restoreDatabase(name, await fixtureOf(2));
      expect(await codeOf(openStore(name))).to.equal('blocked');
      old.close();
      const store = await openStore(name);
      expect(await store.notes.count()).to.equal(notesOf(await fixtureOf(2)).length);
      store.close();
    },
  );

  it('are of versions that each have a fixture', async () => {
    const store = await openStore(name);
    store.close();
    const { version } = await dumpDatabase(name);
    expect(EARLIER_VERSIONS).to.deep.equal(Array.from({ length: version - 1 }, (_, n) => n + 1));
  });
});
