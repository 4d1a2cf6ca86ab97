import { expect } from '@esm-bundle/chai';
import {
  openStore,
  type Head,
  type StorageLoss,
  type Store,
  type StoreChange,
} from '@inpage-mcp/store';
import {
  completionOf,
  deleteDatabase,
  freshDatabaseName,
  putRecords,
} from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { itInAll } from '../support/it-in-all.js';

describe('a database that is not what it was', () => {
  let name: string;
  let losses: StorageLoss[];
  let stores: Store[];

  beforeEach(() => {
    name = freshDatabaseName();
    losses = [];
    stores = [];
  });

  afterEach(async () => {
    for (const store of stores) store.close();
    await deleteDatabase(name);
  });

  const open = async (marker?: Head): Promise<Store> => {
    const store = await openStore(name, { marker, onloss: (loss) => losses.push(loss) });
    stores.push(store);
    return store;
  };
  const write = async (store: Store): Promise<void> => {
    await store.notes.create({ title: 'a', text: 'b' });
    await store.files.write('a', new Blob(['b']));
  };
  const before = { notes: 1, files: 1 };
  const nothing = { notes: 0, files: 0 };

  it('is distinguished from a first run by what was known of it', async () => {
    const store = await open();
    await write(store);
    const marker = store.changes.head!;
    store.close();
    await open(marker);
    expect(losses).to.deep.equal([]);
    for (const each of stores) each.close();
    await deleteDatabase(name);
    await open(marker);
    expect(losses).to.deep.equal([{ reason: 'cleared', before, now: nothing }]);
  });

  it('is no loss where there was nothing to lose', async () => {
    const store = await open();
    const marker = store.changes.head!;
    store.close();
    await deleteDatabase(name);
    await open(marker);
    expect(losses).to.deep.equal([]);
  });

  it('has lost its last writes when its sequence number is lower than was known', async () => {
    const store = await open();
    await write(store);
    const { head } = store.changes;
    store.close();
    await open({ ...head!, sequence: head!.sequence + 1, notes: 5 });
    expect(losses).to.deep.equal([
      { reason: 'rolled-back', before: { notes: 5, files: 1 }, now: before },
    ]);
  });

  it('is noticed while it is open, without a call, and every listener is notified', async () => {
    const store = await open();
    await write(store);
    const received: StoreChange[] = [];
    const notification = new Promise<void>((resolve) => {
      store.changes.listen((changes) => {
        received.push(...changes);
        resolve();
      });
    });
    await deleteDatabase(name);
    await notification;
    expect(losses).to.deep.equal([{ reason: 'cleared', before, now: nothing }]);
    expect(received.map(({ kind }) => kind)).to.deep.equal(['everything']);
    await write(store);
    expect(store.changes.head).to.include({ sequence: 2, ...before });
    await deleteDatabase(name);
    await store.notes.list();
    expect(losses).to.have.length(2);
  });

  itInAll('is not taken for damaged while it cannot be read at all', async () => {
    const store = await open();
    await write(store);
    const [{ id } = { id: '' }] = (await store.notes.list()).notes;
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('Internal error opening backing store.', 'UnknownError');
    };
    try {
      for (const read of [() => store.notes.get(id), () => store.files.read('a')])
        expect(await failureOf(read())).to.have.property('code', 'failed');
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    expect(losses).to.deep.equal([]);
    expect(await store.notes.get(id)).to.have.property('text', 'b');
  });

  it('is not taken for a full disk while the browser still clears it', async () => {
    const store = await open();
    await write(store);
    const { open: openDatabase } = IDBFactory.prototype;
    const cleared = performance.now() + 300;
    // What a browser answers until it has removed everything.
    IDBFactory.prototype.open = function (database, version) {
      if (database === name && performance.now() < cleared)
        throw new DOMException('Internal error opening backing store.', 'UnknownError');
      return openDatabase.call(this, database, version);
    };
    try {
      await deleteDatabase(name);
      const [before, note] = await Promise.all([
        store.notes.list(),
        store.notes.create({ title: 'after', text: '' }),
      ]);
      expect(before.notes).to.deep.equal([]);
      expect(note).to.include({ title: 'after' });
    } finally {
      IDBFactory.prototype.open = openDatabase;
    }
  });

  for (const [what, prototype, method] of [
    ['has begun', IDBObjectStore.prototype, 'add'],
    ['is to begin', IDBDatabase.prototype, 'transaction'],
  ] as const) {
    it(`is what a write says that ${what} when Chromium clears the data`, async () => {
      const store = await open();
      const original = Object.getOwnPropertyDescriptor(prototype, method)!;
      Object.defineProperty(prototype, method, {
        ...original,
        value() {
          const text = 'Connection is closing because of: Force close delete origin';
          throw new DOMException(text, 'UnknownError');
        },
      });
      try {
        const error = await failureOf(store.notes.create({ title: '', text: '' }));
        expect(error).to.include({ code: 'failed' });
        expect((error as Error).message).to.match(/^The data of this site was cleared/);
      } finally {
        Object.defineProperty(prototype, method, original);
      }
    });
  }

  it('is reported once by each tab', async () => {
    const [here, there] = [await open(), await open()];
    await write(here);
    await there.changes.catchUp();
    await deleteDatabase(name);
    await Promise.all([here.notes.list(), there.notes.list()]);
    await write(here);
    await there.changes.catchUp();
    expect(losses).to.deep.equal([1, 2].map(() => ({ reason: 'cleared', before, now: nothing })));
    expect(there.changes.head).to.deep.equal(here.changes.head);
  });

  it('is no loss when it was emptied on purpose', async () => {
    const [here, there] = [await open(), await open()];
    await write(here);
    await there.changes.catchUp();
    const marker = here.changes.head!;
    const notification = new Promise<readonly StoreChange[]>((resolve) => {
      there.changes.listen(resolve);
    });
    await here.clear();
    expect((await notification).map(({ kind }) => kind)).to.deep.equal(['everything']);
    expect((await there.notes.list()).notes).to.deep.equal([]);
    expect((await there.files.list()).files).to.deep.equal([]);
    await open(marker);
    expect(losses).to.deep.equal([]);
    await write(there);
    expect(there.changes.head).to.include({
      id: marker.id,
      sequence: marker.sequence + 3,
      ...before,
    });
  });

  it('names what cannot be read, once, while the rest is listed', async () => {
    const store = await open();
    await write(store);
    const id = '01HZZZZZZZ0000000000000000';
    await putRecords(name, 'notes', [{ id, title: 5 }]);
    const received: StoreChange[] = [];
    store.changes.listen((changes) => received.push(...changes));
    for (let times = 0; times < 2; times += 1) {
      expect((await store.notes.list()).notes).to.have.length(1);
    }
    expect(losses).to.deep.equal([
      { reason: 'unreadable', now: before, entries: [{ kind: 'note', key: id }] },
    ]);
    expect(received).to.deep.equal([
      { kind: 'note', key: id, type: 'updated', listingChanged: true },
    ]);
  });

  it('leaves nothing behind when it was emptied', async () => {
    const store = await open();
    await write(store);
    await store.notes.create({ title: 'keyed', text: 'b' }, { idempotencyKey: 'key' });
    await store.clear();
    store.close();
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction([...database.objectStoreNames]);
    const left: { [store: string]: unknown } = {};
    for (const objectStore of database.objectStoreNames) {
      const request = transaction.objectStore(objectStore).getAll();
      request.onsuccess = () => {
        if (request.result.length > 0) left[objectStore] = request.result;
      };
    }
    await completionOf(transaction);
    database.close();
    expect(Object.keys(left)).to.deep.equal(['head', 'log']);
    expect(left['log']).to.deep.equal(['everything']);
  });
});
