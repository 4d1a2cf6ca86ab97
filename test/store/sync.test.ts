import { expect } from '@esm-bundle/chai';
import type { ChangeAuthor, Note, Store, StoreChange, StoredFile } from '@inpage-mcp/store';
import {
  type Acknowledgement,
  checkSyncWrite,
  MAX_BLOB_BYTES,
  MAX_BYTES_AT_ONCE,
  MAX_ENTRIES_AT_ONCE,
  MAX_TAKEN_REVISION,
  type NoteContent,
  openStoreSync,
  type StoreSync,
  type SyncedEntry,
  type SyncWrite,
} from '@inpage-mcp/store/sync';
import {
  answerOf,
  clearRecords,
  completionOf,
  countRecords,
  putRecords,
  readRecords,
} from '../support/database.js';
import { itInAll } from '../support/it-in-all.js';
import { eventually } from '../support/within.js';
import { failureOf } from '../support/failure.js';
import { everyWrite, prepare } from './every-write.js';
import { digestOf, expectMarked, expectStored } from './large-blobs.js';
import { markedBlob, MIB, PIECE, WHOLE } from './marked-blob.js';
import { codeOf, useStore } from './store-under-test.js';

const SYNCED: SyncedEntry = { version: '1-a', counter: 3, past: ['a'], base: { title: 'before' } };

const ID = '01HZZZZZZZ0000000000000001';
const OTHER_ID = '01HZZZZZZZ0000000000000002';

const NOTE: NoteContent = {
  title: 'From afar',
  text: '# Far\n\naway',
  tags: ['far'],
  createdAt: 1_000,
  updatedAt: 2_000,
  revision: 5,
  audience: ['user'],
  priority: 0.5,
};

const RECORD = { mediaType: 'text/plain', createdAt: 1_000, updatedAt: 2_000, revision: 5 };

function blankNotes(count: number): { title: string; text: string }[] {
  return Array.from({ length: count }, () => ({ title: '', text: '' }));
}

/** A write of an entry that was never changed here. */
function writeOf(write: Partial<SyncWrite> & Pick<SyncWrite, 'kind' | 'key'>): SyncWrite {
  return { expectedMark: undefined, synced: SYNCED, ...write };
}

/** The bytes of a blob, one after the other, in parts that fit no piece. */
async function* partsOf(blob: Blob, partBytes = 700_001): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < blob.size; start += partBytes) {
    yield new Uint8Array(await blob.slice(start, start + partBytes).arrayBuffer());
  }
}

/** A call of a method of object stores with a name; the first has the number 1. */
interface StoreCall {
  storeName: string;
  call: number;
}

type StoreMethod = 'put' | 'get' | 'getAllKeys';

/** While `run` runs, something is done before the nth call of a method of object stores with a name. */
async function before<Value>(
  method: StoreMethod,
  { storeName, call }: StoreCall,
  act: () => void,
  run: () => Promise<Value>,
): Promise<Value> {
  type Method = (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  const prototype = IDBObjectStore.prototype as unknown as { [method: string]: Method };
  const original = prototype[method]!;
  let calls = 0;
  prototype[method] = function watched(...args) {
    if (this.name === storeName && ++calls === call) act();
    return original.apply(this, args);
  };
  try {
    return await run();
  } finally {
    prototype[method] = original;
  }
}

/** While `run` runs, the nth call of a method of object stores with a name throws. */
async function failingAt<Value>(
  method: StoreMethod,
  { error, ...call }: StoreCall & { error: DOMException },
  run: () => Promise<Value>,
): Promise<Value> {
  const fail = (): never => {
    throw error;
  };
  return await before(method, call, fail, run);
}

const quotaError = (): DOMException => new DOMException('It is full.', 'QuotaExceededError');
const decodingError = (): DOMException => new DOMException('It is damaged.', 'DataError');

describe('a store for a sync', () => {
  let syncs: StoreSync[];
  afterEach(async () => {
    await Promise.all(syncs.map((opened) => opened.close()));
  });
  const test = useStore();
  let sync: StoreSync;

  const open = async (): Promise<StoreSync> => {
    const opened = await openStoreSync(test.name, { pieceBytes: PIECE });
    syncs.push(opened);
    return opened;
  };
  const marked = async (): Promise<string[]> =>
    (await sync.unsynced(10_000)).map(({ kind, key }) => `${kind} ${key}`);
  const markOf = async (kind: 'note' | 'file', key: string): Promise<number | undefined> =>
    (await sync.read(kind, key)).mark;
  /** Acknowledges everything. */
  const settle = async (): Promise<void> => {
    const entries = await sync.unsynced(10_000);
    await sync.acknowledge(entries.map((entry) => ({ ...entry, synced: SYNCED })));
  };
  const joined = async (): Promise<void> => {
    await sync.join({ name: 'server' });
    await settle();
  };

  beforeEach(async () => {
    syncs = [];
    sync = await open();
  });

  describe('that is not joined', () => {
    it('has no state, and marks nothing', async () => {
      expect(await sync.state()).to.equal(undefined);
      const id = await prepare(test.store);
      await test.store.notes.update(id, { text: 'changed' });
      expect(await sync.countUnsynced()).to.equal(0);
      expect(await sync.read('note', id)).to.include({ mark: undefined, synced: undefined });
      expect(test.store.changes.head).not.to.have.property('syncs');
    });

    it('rejects every write', async () => {
      const acknowledged: Acknowledgement = { kind: 'note', key: ID, mark: 1, synced: SYNCED };
      for (const call of [
        () => sync.apply([writeOf({ kind: 'note', key: ID, note: NOTE })], '1'),
        () => sync.acknowledge([acknowledged]),
        () => sync.changeState(() => ({})),
        () => sync.forget(),
      ]) {
        expect(await codeOf(call())).to.equal('conflict');
      }
      expect(await countRecords(test.name)).to.include({ notes: 0, sync: 0, synced: 0 });
    });
  });

  describe('that joins', () => {
    /** Ends what `run` does in the second of its transactions with marks. */
    const interrupted = (run: () => Promise<void>): Promise<void> =>
      failingAt('put', { storeName: 'unsynced', call: 2_001, error: quotaError() }, run);

    it('marks every entry, and keeps the state with its keys', async () => {
      const id = await prepare(test.store);
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
        'encrypt',
      ]);
      await sync.join({ url: 'a', key });
      expect(await marked()).to.deep.equal(['file a', 'file b', `note ${id}`]);
      const { state, position } = (await (await open()).state())!;
      expect(position).to.equal('');
      expect(state).to.include({ url: 'a' });
      expect((state as { key: CryptoKey }).key.extractable).to.equal(false);
      await sync.changeState(() => ({ url: 'b' }));
      expect(await sync.state()).to.deep.equal({ state: { url: 'b' }, position: '' });
    });

    itInAll(
      'marks thousands of notes in several transactions, and completes what was interrupted',
      async () => {
        await test.store.notes.createAll(blankNotes(3_000));
        await failureOf(interrupted(() => sync.join({ name: 'server' })));
        expect(await countRecords(test.name)).to.include({ sync: 1, unsynced: 2_000 });
        // A write in between has its mark already.
        const { id } = await test.store.notes.create({ title: 'In between', text: '' });
        expect(await markOf('note', id)).to.equal(test.store.changes.head!.sequence);
        await sync.close();
        sync = await open();
        expect(await sync.state()).to.deep.equal({ state: { name: 'server' }, position: '' });
        expect(await sync.countUnsynced()).to.equal(3_001);
        const [record] = await readRecords(test.name, 'sync');
        expect(record).not.to.have.property('isMarking');
        await failureOf(interrupted(() => sync.join('again')));
        await sync.join('at last');
        expect(await sync.countUnsynced()).to.equal(3_001);
        expect((await sync.state())?.state).to.equal('at last');
      },
    );

    it('marks unreadable entries, too', async () => {
      await putRecords(test.name, 'notes', [{ id: ID, title: 7 }]);
      await sync.join({});
      expect(await marked()).to.deep.equal([`note ${ID}`]);
    });

    it('stops marking when it is left in between', async () => {
      await test.store.notes.createAll(blankNotes(2_001));
      const other = await open();
      const joining = failureOf(sync.join({}));
      // In the queue of the browser after the first transactions of the other.
      await eventually(async () => (await other.countUnsynced()) > 0);
      await other.leave();
      await joining;
      expect(await countRecords(test.name)).to.include({ sync: 0 });
      expect(await sync.state()).to.equal(undefined);
    });
  });

  describe('that is joined', () => {
    beforeEach(joined);

    for (const { name, run } of everyWrite) {
      it(`marks what ${name} changes, once for a retry`, async () => {
        const id = await prepare(test.store);
        await settle();
        test.changes.length = 0;
        await run(test.store, id, { idempotencyKey: 'key' });
        const changed = test.changes.map(({ kind, key }) => `${kind} ${key}`).toSorted();
        expect(changed).not.to.have.length(0);
        expect(await marked()).to.deep.equal(changed);
        expect((await sync.unsynced(1))[0]!.mark).to.equal(test.store.changes.head!.sequence);
        await settle();
        await run(test.store, id, { idempotencyKey: 'key' });
        expect(await marked()).to.deep.equal([]);
      });
    }

    it('marks both paths of a move, and a deletion by a mark without an entry', async () => {
      await test.store.files.write('a', new Blob(['a']));
      await settle();
      await test.store.files.move('a', 'b');
      expect(await marked()).to.deep.equal(['file a', 'file b']);
      const gone = await sync.read('file', 'a');
      expect(gone).to.have.keys('mark', 'synced').and.to.include({ synced: gone.synced });
      expect(gone.mark).to.be.a('number');
      expect((await sync.read('file', 'b')).file?.record.path).to.equal('b');
    });

    it('marks restored notes, many at once, and every entry of an import', async () => {
      const note = await test.store.notes.create({ title: 'Restored', text: '' });
      await test.store.notes.delete(note.id);
      await settle();
      await test.store.notes.restore(note);
      expect(await marked()).to.deep.equal([`note ${note.id}`]);
      await settle();
      // More than the log lists one by one.
      const created = await test.store.notes.createAll(blankNotes(150));
      expect(await marked()).to.deep.equal(created.map(({ id }) => `note ${id}`));
      const zip = await new Response(test.store.exportZip()).blob();
      for (const { id } of created) await test.store.notes.delete(id);
      await settle();
      await test.store.importZip(zip);
      expect(await marked()).to.deep.equal(created.map(({ id }) => `note ${id}`));
    });

    it('is left by clearing the store', async () => {
      await prepare(test.store);
      await test.store.clear();
      expect(await sync.state()).to.equal(undefined);
      expect(await countRecords(test.name)).to.include({ sync: 0, synced: 0, unsynced: 0 });
      await prepare(test.store);
      expect(await sync.countUnsynced()).to.equal(0);
    });

    it('leaves with nothing but notes and files', async () => {
      const id = await prepare(test.store);
      await sync.leave();
      expect(await sync.state()).to.equal(undefined);
      expect(await countRecords(test.name)).to.include({ sync: 0, synced: 0, unsynced: 0 });
      await test.store.notes.update(id, { text: 'changed' });
      expect(await sync.countUnsynced()).to.equal(0);
      expect(test.store.changes.head).to.include({ notes: 1, files: 2 });
    });

    it('forgets what the server has, and keeps its state and the marks of deletions', async () => {
      const id = await prepare(test.store);
      await settle();
      await test.store.files.delete('a');
      await sync.apply([], 'far');
      await sync.forget();
      expect(await sync.state()).to.deep.equal({ state: { name: 'server' }, position: '' });
      const versions = (await sync.synced(10)).map(({ synced }) => synced?.version);
      expect(versions).to.deep.equal(['', '', '']);
      expect(await marked()).to.deep.equal(['file a', 'file b', `note ${id}`]);
    });

    it('keeps counters and bases when it forgets, and completes what was interrupted', async () => {
      await test.store.notes.createAll(blankNotes(60));
      await settle();
      await failureOf(
        failingAt('put', { storeName: 'synced', call: 51, error: quotaError() }, () =>
          sync.forget(),
        ),
      );
      const versions = async (): Promise<Set<unknown>> =>
        new Set((await sync.synced(100)).map(({ synced }) => synced?.version));
      expect(await versions()).to.have.property('size', 2);
      await sync.state();
      expect([...(await versions())]).to.deep.equal(['']);
      const [first] = await sync.unsynced(1);
      const { synced } = await sync.read('note', first!.key);
      expect(synced).to.deep.equal({ ...SYNCED, version: '', isLost: true });
    });

    it('forgets nothing that is known later, where two tabs complete it at the same time', async () => {
      await test.store.notes.createAll(blankNotes(60));
      await settle();
      const other = await open();
      let second: Promise<unknown> | undefined;
      const fault = { storeName: 'files', call: 1 };
      await before(
        'getAllKeys',
        fault,
        () => (second = other.state()),
        () => sync.forget(),
      );
      await settle();
      await second;
      expect(await sync.countUnsynced()).to.equal(0);
      const versions = (await sync.synced(100)).map(({ synced }) => synced?.version);
      expect(new Set(versions)).to.deep.equal(new Set([SYNCED.version]));
    });

    it('forgets all that it knows of a server where a part of that is damaged', async () => {
      await prepare(test.store);
      await settle();
      const fault = { storeName: 'synced', call: 1, error: decodingError() };
      await failingAt('getAllKeys', fault, () => sync.forget());
      expect(await countRecords(test.name)).to.include({ synced: 0, unsynced: 3 });
    });

    it('keeps marking when the head is damaged and made again', async () => {
      const id = await prepare(test.store);
      await settle();
      await clearRecords(test.name, 'head');
      await test.reopen();
      await test.store.notes.update(id, { text: 'changed' });
      expect(await marked()).to.deep.equal([`note ${id}`]);
    });

    it('lists marks in pages', async () => {
      await prepare(test.store);
      const pages: string[] = [];
      let [last] = await sync.unsynced(1);
      while (last) {
        pages.push(`${last.kind} ${last.key}`);
        [last] = await sync.unsynced(1, last);
      }
      expect(pages).to.deep.equal(await marked());
      expect(await sync.countUnsynced()).to.equal(pages.length);
      expect(await sync.unsynced(10_000)).to.have.length(pages.length);
      expect(await codeOf(sync.unsynced(10_001))).to.equal('invalid-argument');
      expect(await codeOf(sync.unsynced(0))).to.equal('invalid-argument');
    });

    it('reads an entry with all that is known of it', async () => {
      const id = await prepare(test.store);
      const note = await test.store.notes.get(id);
      const mark = (await markOf('note', id))!;
      await sync.acknowledge([{ kind: 'note', key: id, mark: mark - 1, synced: SYNCED }]);
      expect(await sync.read('note', id)).to.deep.equal({ mark, synced: SYNCED, note });
      const { file } = await sync.read('file', 'a');
      expect(await file?.bytes.text()).to.equal('bytes of a');
      expect(file?.record).to.deep.equal(await test.store.files.get('a'));
      const large = markedBlob(PIECE + 1);
      await test.store.files.write('large', large);
      await expectMarked((await sync.read('file', 'large')).file!.bytes, PIECE + 1);
    });

    it('removes a mark once the server has the change, unless there is another one', async () => {
      const id = await prepare(test.store);
      const mark = (await markOf('note', id))!;
      await test.store.notes.append(id, 'later');
      await sync.acknowledge([{ kind: 'note', key: id, mark, synced: SYNCED }]);
      const later = await sync.read('note', id);
      expect(later).to.deep.include({ synced: SYNCED, mark: test.store.changes.head!.sequence });
      await sync.acknowledge([{ kind: 'note', key: id, mark: later.mark!, synced: undefined }]);
      expect(await sync.read('note', id)).to.include({ mark: undefined, synced: undefined });
    });

    it('acknowledges up to a limit of entries at once', async () => {
      const entry: Acknowledgement = { kind: 'note', key: ID, mark: 1, synced: SYNCED };
      const entries = Array.from({ length: MAX_ENTRIES_AT_ONCE }, () => entry);
      await sync.acknowledge(entries);
      expect(await codeOf(sync.acknowledge([...entries, entry]))).to.equal('invalid-argument');
    });
  });

  describe('that applies changes of other devices', () => {
    beforeEach(joined);

    const stored = (): Promise<Note> => test.store.notes.get(ID);
    const apply = async (...writes: SyncWrite[]): Promise<string> =>
      (await sync.apply(writes)).join();

    it('writes a new note as it is there, in one transaction with the position', async () => {
      const write = writeOf({ kind: 'note', key: ID, note: NOTE });
      expect(await sync.apply([write], 'p1')).to.deep.equal(['applied']);
      const firstLine = 'Far';
      expect(await stored()).to.deep.equal({ ...NOTE, id: ID, firstLine, size: 11 });
      expect(await sync.read('note', ID)).to.deep.include({ mark: undefined, synced: SYNCED });
      expect((await sync.state())?.position).to.equal('p1');
      await test.store.changes.catchUp();
      expect(test.store.changes.head).to.include({ notes: 1 });
    });

    it('writes nothing of a transaction that fails, as when the device is full', async () => {
      const before = await countRecords(test.name);
      const writes = [
        writeOf({ kind: 'note', key: ID, note: NOTE }),
        writeOf({ kind: 'file', key: 'a', file: { record: RECORD, bytes: new Blob(['a']) } }),
      ];
      for (const [storeName, call] of [
        ['notes', 1],
        ['file-bytes', 1],
        ['synced', 2],
        ['sync', 1],
        ['log', 1],
      ] as const) {
        const failing = failingAt('put', { storeName, call, error: quotaError() }, () =>
          sync.apply(writes, 'p1'),
        );
        expect(await codeOf(failing)).to.equal('quota-exceeded');
        expect(await countRecords(test.name)).to.deep.equal(before);
        expect((await sync.state())?.position).to.equal('');
      }
    });

    it('makes no mark of it, and is found by a search', async () => {
      await apply(writeOf({ kind: 'note', key: ID, note: NOTE }));
      expect(await marked()).to.deep.equal([]);
      const { matches } = await test.store.notes.search('away');
      expect(matches.map(({ note }) => note.id)).to.deep.equal([ID]);
    });

    it('notifies the other tabs, whose listeners learn that another device did it', async () => {
      const received = new Promise<[readonly StoreChange[], ChangeAuthor | undefined]>(
        (resolve) => {
          test.store.changes.listen((...args) => resolve(args));
        },
      );
      await apply(writeOf({ kind: 'note', key: ID, note: NOTE }));
      const [changes, author] = await received;
      expect(changes).to.deep.equal([
        { kind: 'note', key: ID, type: 'created', listingChanged: true, origin: 'sync' },
      ]);
      expect(author).to.deep.equal({ from: 'device' });
    });

    it('gives what comes back a higher revision than it had here', async () => {
      const { notes, files } = test.store;
      const note = await notes.create({ title: '', text: 'old' });
      await files.write('a', new Blob(['old']));
      await files.update('a', { priority: 1 });
      await notes.delete(note.id);
      await files.delete('a');
      await settle();
      const [back, record] = [
        { ...NOTE, revision: 1 },
        { ...RECORD, revision: 1 },
      ];
      const ofNote = { kind: 'note', key: note.id } as const;
      const ofFile = { kind: 'file', key: 'a' } as const;
      const file = { record, bytes: new Blob(['new']) };
      await sync.apply([writeOf({ ...ofNote, note: back }), writeOf({ ...ofFile, file })]);
      expect((await notes.get(note.id)).revision).to.equal(2);
      expect((await files.get('a')).revision).to.equal(3);
      // Deleted and written again in one transaction.
      await sync.apply([writeOf({ ...ofFile, file: null }), writeOf({ ...ofFile, file })]);
      expect((await files.get('a')).revision).to.equal(4);
    });

    it('gives what it writes a higher revision than here', async () => {
      const note = await test.store.notes.create({ title: 'Here', text: 'here' });
      const writeNote = async (revision: number): Promise<number> => {
        const expectedMark = await markOf('note', note.id);
        const content = { ...NOTE, revision };
        await apply(writeOf({ kind: 'note', key: note.id, note: content, expectedMark }));
        return (await test.store.notes.get(note.id)).revision;
      };
      expect(await writeNote(9)).to.equal(9);
      expect(await writeNote(3)).to.equal(10);
      expect(
        await codeOf(test.store.notes.update(note.id, { text: '' }, { expectedRevision: 9 })),
      ).to.equal('conflict');
    });

    it('changes no content if there is none in the write', async () => {
      const id = await prepare(test.store);
      const before = await test.store.notes.get(id);
      const { sequence } = test.store.changes.head!;
      const expectedMark = await markOf('note', id);
      expect(await apply(writeOf({ kind: 'note', key: id, expectedMark }))).to.equal('applied');
      expect(await sync.read('note', id)).to.deep.equal({
        mark: undefined,
        synced: SYNCED,
        note: before,
      });
      await test.store.changes.catchUp();
      expect(test.store.changes.head).to.include({ sequence });
    });

    it('skips an entry that another tab has changed since, and applies the others', async () => {
      const note = await test.store.notes.create({ title: 'Here', text: 'here' });
      const expectedMark = await markOf('note', note.id);
      const tab = await test.openTab();
      await tab.notes.update(note.id, { text: 'elsewhere' });
      const writes = [
        writeOf({ kind: 'note', key: note.id, note: NOTE, expectedMark }),
        writeOf({ kind: 'note', key: note.id, note: null }),
        writeOf({ kind: 'note', key: ID, note: NOTE }),
      ];
      const outcomes = await sync.apply(writes, 'p1');
      // What was skipped has to be read again.
      expect((await sync.state())?.position).to.equal('');
      expect(outcomes).to.deep.equal(['skipped', 'skipped', 'applied']);
      expect((await test.store.notes.get(note.id)).text).to.equal('elsewhere');
      expect(await sync.read('note', note.id)).to.include({ synced: undefined });
    });

    it('loses no change of a tab that writes all the time', async () => {
      const note = await test.store.notes.create({ title: '', text: '' });
      const tab = await test.openTab();
      const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
      const writing = (async () => {
        for (const line of lines) await tab.notes.append(note.id, line);
      })();
      for (let applied = 0; applied < 30;) {
        const read = await sync.read('note', note.id);
        const content = { ...read.note!, text: `${read.note!.text}\nfar ${applied}` };
        const [outcome] = await sync.apply([
          writeOf({ kind: 'note', key: note.id, expectedMark: read.mark, note: content }),
        ]);
        if (outcome === 'applied') applied += 1;
      }
      await writing;
      const { text } = await test.store.notes.get(note.id);
      const all = new Set(text.split('\n'));
      for (const line of lines) expect(all.has(line)).to.equal(true);
      for (let count = 0; count < 30; count++) expect(all.has(`far ${count}`)).to.equal(true);
    });

    it('gives a merge another mark, which an earlier acknowledgement does not remove', async () => {
      const id = await prepare(test.store);
      const mark = (await markOf('note', id))!;
      const merge = { kind: 'note', key: id, expectedMark: mark, keepMark: true } as const;
      await apply(writeOf({ ...merge, note: NOTE }));
      const merged = (await markOf('note', id))!;
      expect(merged).to.be.above(mark);
      await sync.acknowledge([{ kind: 'note', key: id, mark, synced: SYNCED }]);
      expect(await markOf('note', id)).to.equal(merged);
      await apply(writeOf({ ...merge, expectedMark: merged }));
      expect(await markOf('note', id)).to.equal(merged);
      await apply(writeOf({ kind: 'note', key: ID, note: NOTE, keepMark: true }));
      await test.store.changes.catchUp();
      expect(await markOf('note', ID)).to.equal(test.store.changes.head!.sequence);
    });

    it('deletes notes and files, also those that do not exist', async () => {
      const id = await prepare(test.store);
      await settle();
      const writes = [
        writeOf({ kind: 'note', key: id, note: null }),
        writeOf({ kind: 'file', key: 'a', file: null }),
        writeOf({ kind: 'note', key: OTHER_ID, note: null }),
        writeOf({ kind: 'file', key: 'nowhere', file: null }),
      ];
      expect(await sync.apply(writes)).to.deep.equal(Array(4).fill('applied'));
      expect(await countRecords(test.name)).to.include({ notes: 0, 'note-texts': 0, files: 1 });
      expect(await marked()).to.deep.equal([]);
      await test.store.changes.catchUp();
      expect(test.store.changes.head).to.include({ notes: 0, files: 1 });
    });

    it('writes a file with its bytes, and changes its record without them', async () => {
      const bytes = new Blob(['from afar']);
      const record = { ...RECORD, digest: await digestOf(bytes), priority: 1 };
      await apply(writeOf({ kind: 'file', key: 'far.txt', file: { record, bytes } }));
      const { file, blob } = await test.store.files.read('far.txt');
      expect(await blob.text()).to.equal('from afar');
      expect(file).to.deep.equal({ ...record, path: 'far.txt', size: 9 });
      const changed = { ...record, priority: 0, revision: 1 };
      expect(
        await apply(writeOf({ kind: 'file', key: 'far.txt', file: { record: changed } })),
      ).to.equal('applied');
      const after = await test.store.files.read('far.txt');
      expect(after.file).to.deep.equal({ ...file, priority: 0, revision: 6 });
      expect(await after.blob.text()).to.equal('from afar');
    });

    it('skips a record whose bytes are not here, and rejects bytes of another digest', async () => {
      const record = { ...RECORD, digest: '0'.repeat(64) };
      const missing = writeOf({ kind: 'file', key: 'a', file: { record } });
      expect(await apply(missing)).to.equal('skipped');
      await test.store.files.write('a', new Blob(['a']));
      await settle();
      expect(await apply(missing)).to.equal('skipped');
      const bytes = new Blob(['b']);
      const wrong = apply(writeOf({ kind: 'file', key: 'a', file: { record, bytes } }));
      expect(await codeOf(wrong)).to.equal('unreadable');
      expect(await (await test.store.files.read('a')).blob.text()).to.equal('a');
    });

    it('takes no field that it does not know', async () => {
      const note = { ...NOTE, id: OTHER_ID, size: 1, firstLine: 'x', further: 'x' };
      await apply(writeOf({ kind: 'note', key: ID, note }));
      const record = { ...RECORD, path: 'other', size: 7, further: 'x' };
      const bytes = new Blob(['a']);
      await apply(writeOf({ kind: 'file', key: 'a', file: { record, bytes } }));
      expect(await stored()).to.deep.equal({ ...NOTE, id: ID, firstLine: 'Far', size: 11 });
      const { digest: _digest, ...file } = await test.store.files.get('a');
      expect(file).to.deep.equal({ ...RECORD, path: 'a', size: 1 } satisfies StoredFile);
    });

    const invalid: [name: string, write: SyncWrite][] = [
      ['an id that is no ULID', writeOf({ kind: 'note', key: 'x', note: NOTE })],
      [
        'a title that is too long',
        writeOf({ kind: 'note', key: ID, note: { ...NOTE, title: 'x'.repeat(1_001) } }),
      ],
      [
        'tags that are none',
        writeOf({ kind: 'note', key: ID, note: { ...NOTE, tags: [1] as never } }),
      ],
      [
        'a time that is none',
        writeOf({ kind: 'note', key: ID, note: { ...NOTE, updatedAt: NaN } }),
      ],
      ['the revision 0', writeOf({ kind: 'note', key: ID, note: { ...NOTE, revision: 0 } })],
      [
        'a revision without room for others',
        writeOf({ kind: 'note', key: ID, note: { ...NOTE, revision: MAX_TAKEN_REVISION + 1 } }),
      ],
      ['a path with an empty name', writeOf({ kind: 'file', key: 'a//b', file: null })],
      [
        'a media type with parameters',
        writeOf({ kind: 'file', key: 'a', file: { record: { ...RECORD, mediaType: 'a/b;c' } } }),
      ],
      [
        'a revision of a file without room',
        writeOf({
          kind: 'file',
          key: 'a',
          file: { record: { ...RECORD, revision: MAX_TAKEN_REVISION + 1 } },
        }),
      ],
      [
        'a digest that is none',
        writeOf({ kind: 'file', key: 'a', file: { record: { ...RECORD, digest: 1 as never } } }),
      ],
      ['a note with the content of a file', writeOf({ kind: 'note', key: ID, file: null })],
    ];
    for (const [name, write] of invalid) {
      it(`rejects ${name}, and writes nothing`, async () => {
        expect(() => checkSyncWrite(write)).to.throw();
        const fine = writeOf({ kind: 'note', key: OTHER_ID, note: NOTE });
        expect(await codeOf(sync.apply([fine, write], 'p1'))).to.equal('invalid-argument');
        expect(await countRecords(test.name)).to.include({ notes: 0, files: 0 });
        expect((await sync.state())?.position).to.equal('');
      });
    }

    it('takes the highest revision, and as many entries as the limit', async () => {
      const note = { ...NOTE, revision: MAX_TAKEN_REVISION };
      await apply(writeOf({ kind: 'note', key: ID, note }));
      await test.store.notes.append(ID, 'more');
      expect((await stored()).revision).to.equal(MAX_TAKEN_REVISION + 1);
      const many = Array.from({ length: MAX_ENTRIES_AT_ONCE + 1 }, (_, index) =>
        writeOf({
          kind: 'note',
          key: `01HZZZZZZZ${String(index + 10).padStart(16, '0')}`,
          note: NOTE,
        }),
      );
      expect(await codeOf(sync.apply(many))).to.equal('invalid-argument');
      await sync.apply(many.slice(1));
      expect(await test.store.notes.count()).to.equal(MAX_ENTRIES_AT_ONCE + 1);
    });
  });

  itInAll('takes Blobs and texts up to their limits', async () => {
    await sync.join({});
    const file = (size: number, key = 'a'): SyncWrite => {
      const bytes = new Blob([new Uint8Array(size)]);
      return writeOf({ kind: 'file', key, file: { record: RECORD, bytes } });
    };
    expect(await sync.apply([file(MAX_BLOB_BYTES)])).to.deep.equal(['applied']);
    expect(await codeOf(sync.apply([file(MAX_BLOB_BYTES + 1)]))).to.equal('invalid-argument');
    const many = Array.from({ length: MAX_BYTES_AT_ONCE / MAX_BLOB_BYTES }, (_, index) =>
      file(MAX_BLOB_BYTES, `many/${index}`),
    );
    expect(await codeOf(sync.apply([...many, file(1, 'b')]))).to.equal('invalid-argument');
    expect(await sync.apply(many)).to.have.length(many.length);
    const text = 'x'.repeat(8 * MIB);
    const notes = Array.from({ length: MAX_BYTES_AT_ONCE / text.length }, (_, index) =>
      writeOf({ kind: 'note', key: `01HZZZZZZZ000000000000000${index}`, note: { ...NOTE, text } }),
    );
    expect(await codeOf(sync.apply([...notes, file(1, 'b')]))).to.equal('invalid-argument');
  });

  describe('with entries that are damaged', () => {
    beforeEach(joined);

    it('reports them as damaged, never as deleted, and takes another version of them', async () => {
      const id = await prepare(test.store);
      const note = await test.store.notes.get(id);
      await putRecords(test.name, 'notes', [{ ...note, title: 7 }]);
      const { mark, ...damaged } = await sync.read('note', id);
      expect(damaged).to.deep.equal({ synced: undefined, damaged: true });
      expect(mark).to.be.a('number');
      await clearRecords(test.name, 'file-bytes');
      expect(await sync.read('file', 'a')).to.include({ damaged: true });
      const outcomes = await sync.apply([
        writeOf({ kind: 'note', key: id, note: NOTE, expectedMark: mark }),
        writeOf({
          kind: 'file',
          key: 'a',
          expectedMark: await markOf('file', 'a'),
          file: { record: RECORD, bytes: new Blob(['whole']) },
        }),
      ]);
      expect(outcomes).to.deep.equal(['applied', 'applied']);
      expect((await sync.read('note', id)).note?.title).to.equal(NOTE.title);
      expect(await (await sync.read('file', 'a')).file?.bytes.text()).to.equal('whole');
      await test.store.changes.catchUp();
      expect(test.store.changes.head).to.include({ notes: 1, files: 2 });
    });

    it('reads an entry without what the server has if only that is damaged', async () => {
      const id = await prepare(test.store);
      const failing = failingAt(
        'get',
        { storeName: 'synced', call: 1, error: decodingError() },
        () => sync.read('note', id),
      );
      expect(await failing)
        .to.have.keys('mark', 'synced', 'note')
        .and.include({ synced: undefined });
    });

    it('counts a mark that is damaged as one, and no state as not joined', async () => {
      const database = await answerOf(indexedDB.open(test.name));
      const transaction = database.transaction(['unsynced', 'synced', 'sync'], 'readwrite');
      transaction.objectStore('unsynced').put('x', ['note', ID]);
      transaction.objectStore('synced').put({ version: 1 }, ['note', ID]);
      transaction.objectStore('sync').put(null, 'state');
      await completionOf(transaction);
      database.close();
      expect(await sync.unsynced(1)).to.deep.equal([{ kind: 'note', key: ID, mark: 0 }]);
      expect(await sync.read('note', ID)).to.deep.equal({ mark: 0, synced: undefined });
      expect(await sync.state()).to.equal(undefined);
      await sync.join({});
      expect(await sync.state()).to.deep.equal({ state: {}, position: '' });
    });
  });

  describe('with files that come in parts', () => {
    beforeEach(joined);

    const write = async (blob: Blob, size = blob.size): Promise<string> => {
      const record = { ...RECORD, digest: await digestOf(blob) };
      return await sync.withBytes({ parts: partsOf(blob), size }, async (bytes) =>
        (await sync.apply([writeOf({ kind: 'file', key: 'a', file: { record, bytes } })])).join(),
      );
    };

    for (const size of [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1]) {
      it(`writes ${size} bytes`, async () => {
        expect(await write(markedBlob(size, 3))).to.equal('applied');
        const { file, blob } = await test.store.files.read('a');
        expect(file).to.include({ size, digest: await digestOf(markedBlob(size, 3)) });
        await expectMarked(blob, size, 3);
        const pieces = size > WHOLE ? Math.ceil(size / PIECE) : 0;
        await expectStored(test.name, { files: 1, pieces });
      });
    }

    it('leaves nothing when the source fails, or has fewer or more bytes', async () => {
      const blob = markedBlob(2 * PIECE, 3);
      expect(await codeOf(write(blob, 2 * PIECE + 1))).to.equal('invalid-argument');
      expect(await codeOf(write(blob, 2 * PIECE - 1))).to.equal('invalid-argument');
      expect(await codeOf(write(new Blob(['ab']), 1))).to.equal('invalid-argument');
      const reason = new Error('The server has gone.');
      async function* failing(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        yield* partsOf(blob.slice(0, PIECE + MIB));
        throw reason;
      }
      const broken = sync.withBytes({ parts: failing(), size: blob.size }, () => Promise.resolve());
      expect(await failureOf(broken)).to.equal(reason);
      await expectStored(test.name, { files: 0, pieces: 0 });
    });

    it('leaves nothing when it is skipped or aborted, and ends its source', async () => {
      await test.store.files.write('a', new Blob(['here']));
      expect(await write(markedBlob(PIECE + 1))).to.equal('skipped');
      await expectStored(test.name, { files: 1, pieces: 0 });
      const controller = new AbortController();
      let isEnded = false;
      async function* aborting(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        try {
          yield* partsOf(markedBlob(PIECE + MIB));
          controller.abort(new Error('enough'));
          yield* partsOf(markedBlob(2 * PIECE));
        } finally {
          isEnded = true;
        }
      }
      const source = { parts: aborting(), size: 3 * PIECE + MIB };
      const use = (): Promise<void> => Promise.resolve();
      const error = await failureOf(sync.withBytes(source, use, controller.signal));
      expect((error as Error).message).to.equal('enough');
      expect(isEnded).to.equal(true);
      await expectStored(test.name, { files: 1, pieces: 0 });
    });

    it('rejects a size above the limit before it reads', async () => {
      let isRead = false;
      async function* reading(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        isRead = true;
        yield* partsOf(new Blob(['a']));
      }
      const source = { parts: reading(), size: 64 * 1024 ** 3 + 1 };
      const rejected = sync.withBytes(source, () => Promise.resolve());
      expect(await codeOf(rejected)).to.equal('invalid-argument');
      expect(isRead).to.equal(false);
    });
  });

  it('is not reachable from a store, and rejects once it is closed', async () => {
    const store: Store = test.store;
    expect(store).not.to.have.property('sync');
    await sync.close();
    expect(await codeOf(sync.state())).to.equal('closed');
  });
});
