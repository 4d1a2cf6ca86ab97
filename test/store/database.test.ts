import { expect } from '@open-wc/testing';
import { openStore, type Store, type StoreError } from '@inpage-mcp/store';
import {
  completionOf,
  countRecords,
  deleteDatabase,
  freshDatabaseName,
} from '../support/database.js';
import { failureOf } from '../support/failure.js';

function openRaw(name: string, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return ((await failureOf(call)) as StoreError).code;
}

describe('the database', () => {
  let name: string;

  beforeEach(() => {
    name = freshDatabaseName();
  });

  afterEach(() => deleteDatabase(name));

  it('steps aside for a newer version at once, and says so from then on', async () => {
    let told = 0;
    const store = await openStore(name, { onnewerversion: () => (told += 1) });
    await store.notes.create({ title: 'a', text: 'b' });
    const newer = await openRaw(name, 1000);
    expect(told).to.equal(1);
    expect(await codeOf(store.notes.list())).to.equal('newer-version');
    newer.close();
    expect(await codeOf(store.notes.list())).to.equal('newer-version');
    expect(told).to.equal(1);
    store.close();
  });

  it('does not open, change or delete a database of a newer version', async () => {
    (await openRaw(name, 1000)).close();
    expect(await codeOf(openStore(name))).to.equal('newer-version');
    const kept = await openRaw(name, 1000);
    expect(kept.version).to.equal(1000);
    kept.close();
  });

  it('gives up on a database that another tab blocks, and opens it once that lets go', async () => {
    (await openStore(name)).close();
    // A connection that ignores `versionchange`, and a deletion that waits for it.
    const old = await openRaw(name);
    const deletion = deleteDatabase(name);
    expect(await codeOf(openStore(name))).to.equal('blocked');
    old.close();
    await deletion;
    const store = await openStore(name);
    await store.notes.create({ title: '', text: '' });
    store.close();
  });

  it('opens again where it is not known where the database stands, and says so', async () => {
    const before = await openStore(name);
    await before.notes.create({ title: 'kept', text: '' });
    await before.files.write('a', new Blob([]));
    const { id, sequence } = before.changes.head!;
    before.close();
    for (const damaged of [
      null,
      { id: 1 },
      { id: 'a', sequence: 1, notes: Number.NaN, files: 0 },
    ]) {
      const raw = await openRaw(name);
      const transaction = raw.transaction('head', 'readwrite');
      transaction.objectStore('head').put(damaged, 'head');
      await completionOf(transaction);
      raw.close();
      const losses: unknown[] = [];
      const store = await openStore(name, { onloss: ({ reason }) => losses.push(reason) });
      expect(losses).to.deep.equal(['damaged']);
      expect((await store.notes.list()).notes).to.have.length(1);
      expect(store.changes.head).to.include({ notes: 1, files: 1 });
      expect(store.changes.head?.id).not.to.equal(id);
      expect(store.changes.head?.sequence).to.be.above(sequence);
      store.close();
    }
  });

  it('finishes what was called before it is closed, however much that is', async () => {
    const store = await openStore(name);
    const writes = Array.from({ length: 50 }, (_, n) =>
      store.notes.create({ title: `${n}`, text: '' }),
    );
    store.close();
    expect(await codeOf(store.notes.list())).to.equal('closed');
    await Promise.all(writes);
    const again = await openStore(name);
    expect(await again.notes.count()).to.equal(50);
    again.close();
  });

  it('opens again after the database was deleted under it', async () => {
    const store = await openStore(name);
    await store.notes.create({ title: 'a', text: 'b' });
    await deleteDatabase(name);
    expect((await store.notes.list()).notes).to.deep.equal([]);
    await store.notes.create({ title: 'c', text: 'd' });
    expect((await store.notes.list()).notes).to.have.length(1);
    store.close();
  });

  /** Shows each transaction of the store to a test, which may spoil it. */
  async function observing(
    look: (transaction: IDBTransaction) => void,
    run: () => Promise<void>,
  ): Promise<void> {
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function observed(...args) {
      const started = transaction.apply(this, args);
      look(started);
      return started;
    };
    try {
      await run();
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
  }

  it('acknowledges and tells a write after its strict transaction has completed', async () => {
    const store = await openStore(name);
    const events: string[] = [];
    store.changes.listen(() => events.push('told'));
    await observing(
      (transaction) => {
        if (transaction.mode === 'readonly') return;
        expect(transaction.durability).to.equal('strict');
        transaction.addEventListener('complete', () => events.push('completed'));
      },
      async () => {
        const { id } = await store.notes.create({ title: '', text: '' });
        events.push('acknowledged');
        await store.notes.update(id, { text: 'a' });
        events.push('acknowledged');
        await store.notes.append(id, 'b', { idempotencyKey: 'key' });
        events.push('acknowledged');
        await store.files.write('a', new Blob([]));
        events.push('acknowledged');
        await store.files.update('a', { priority: 1 });
        events.push('acknowledged');
        await store.files.move('a', 'b');
        events.push('acknowledged');
        await store.files.delete('b');
        events.push('acknowledged');
        await store.notes.delete(id);
        events.push('acknowledged');
      },
    );
    const once = ['completed', 'told', 'acknowledged'];
    expect(events).to.deep.equal(Array.from({ length: 8 }, () => once).flat());
    store.close();
  });

  it('acknowledges and tells nothing of a transaction that aborts after its last request', async () => {
    const store = await openStore(name);
    const { id } = await store.notes.create({ title: 'kept', text: 'kept' });
    let told = 0;
    store.changes.listen(() => {
      told += 1;
    });
    // As on a full disk: every request succeeds, then the transaction does not.
    const spoil = (transaction: IDBTransaction): void => {
      if (transaction.mode === 'readonly') return;
      const { objectStore } = transaction;
      let puts = 0;
      transaction.objectStore = (storeName) => {
        const found = objectStore.call(transaction, storeName);
        for (const method of ['put', 'add'] as const) {
          const original = found[method];
          found[method] = (...args) => {
            const request = original.apply(found, args);
            puts += 1;
            if (puts === 2) request.addEventListener('success', () => transaction.abort());
            return request;
          };
        }
        return found;
      };
    };
    await observing(spoil, async () => {
      expect(await codeOf(store.notes.create({ title: 'a', text: 'b' }))).to.equal('failed');
      expect(await codeOf(store.notes.update(id, { text: 'b' }))).to.equal('failed');
      expect(await codeOf(store.files.write('a', new Blob(['b'])))).to.equal('failed');
    });
    expect(told).to.equal(0);
    expect((await store.notes.list()).notes).to.have.length(1);
    expect((await store.notes.get(id)).text).to.equal('kept');
    expect((await store.files.list()).files).to.deep.equal([]);
    store.close();
  });

  describe('of which the browser closes the connection, as when the disk is full', () => {
    /** The connection of a store, from its next transaction. */
    async function connectionOf(store: Store): Promise<IDBDatabase> {
      let connection: IDBDatabase | undefined;
      const look = (transaction: IDBTransaction): IDBDatabase => (connection = transaction.db);
      await observing(look, async () => void (await store.notes.list()));
      return connection!;
    }

    it('ends what would never settle, and reads again', async () => {
      const store = await openStore(name);
      const connection = await connectionOf(store);
      const other = await openRaw(name);
      other.onversionchange = () => other.close();
      // Others have to wait for it as long as it has requests.
      const busy = other.transaction(['notes', 'ballast', 'head'], 'readwrite');
      let isBusy = true;
      const keepBusy = (): void => {
        if (isBusy) busy.objectStore('notes').count().onsuccess = keepBusy;
      };
      keepBusy();
      const writing = codeOf(store.notes.create({ title: 'a', text: 'b' }));
      const reading = store.notes.list();
      await Promise.resolve();
      setTimeout(() => {
        connection.dispatchEvent(new Event('close'));
        // What really was closed would not come to an end after all.
        connection.close();
        isBusy = false;
      }, 100);
      expect(await writing).to.equal('quota-exceeded');
      expect((await reading).notes).to.have.length.lessThan(2);
      store.close();
    });

    /** Writes three notes, two of them at once; gives the object stores of each transaction. */
    async function storesOfWrites(store: Store): Promise<string[][]> {
      const written: string[][] = [];
      const look = ({ mode, objectStoreNames }: IDBTransaction): void => {
        if (mode === 'readwrite') written.push([...objectStoreNames]);
      };
      await observing(look, async () => {
        await store.notes.list();
        expect(written).to.deep.equal([]);
        await Promise.all([
          store.notes.create({ title: 'a', text: 'b' }),
          store.notes.create({ title: 'c', text: 'd' }),
        ]);
        await store.notes.create({ title: 'e', text: 'f' });
      });
      return written;
    }

    it('has the log begun anew before it is written to, once', async () => {
      const told: boolean[] = [];
      const store = await openStore(name, { onlogindoubt: (isInDoubt) => told.push(isInDoubt) });
      (await connectionOf(store)).dispatchEvent(new Event('close'));
      expect(told).to.deep.equal([true]);
      const written = await storesOfWrites(store);
      expect(written[0]).to.deep.equal(['ballast']);
      expect(written.slice(1).filter((names) => names.length === 1)).to.deep.equal([]);
      expect(await countRecords(name)).to.include({ ballast: 0, notes: 3 });
      expect(told).to.deep.equal([true, false]);
      store.close();
    });

    it('does so, too, where only an earlier session knew of it', async () => {
      const told: boolean[] = [];
      const onlogindoubt = (isInDoubt: boolean): number => told.push(isInDoubt);
      const store = await openStore(name, { isLogInDoubt: true, onlogindoubt });
      expect((await storesOfWrites(store))[0]).to.deep.equal(['ballast']);
      expect(told).to.deep.equal([false]);
      store.close();
      const next = await openStore(name);
      expect((await storesOfWrites(next))[0]).to.include('notes');
      next.close();
    });

    it('has nothing to begin anew where another database has come in the place of it', async () => {
      const told: boolean[] = [];
      const onlogindoubt = (isInDoubt: boolean): number => told.push(isInDoubt);
      const store = await openStore(name, { isLogInDoubt: true, onlogindoubt });
      await deleteDatabase(name);
      await store.notes.list();
      expect(told).to.deep.equal([false]);
      expect((await storesOfWrites(store))[0]).to.include('notes');
      store.close();
    });
  });

  it('tells other connections of this origin what was committed', async () => {
    const [here, there] = await Promise.all([openStore(name), openStore(name)]);
    const heard = new Promise((resolve) => {
      there.changes.listen(resolve);
    });
    const { id } = await here.notes.create({ title: 'a', text: 'b' });
    expect(await heard).to.deep.equal([
      { kind: 'note', key: id, type: 'created', listingChanged: true },
    ]);
    expect((await there.notes.get(id)).text).to.equal('b');
    here.close();
    there.close();
  });

  it('ignores what strangers post on its channel', async () => {
    const store = await openStore(name);
    const heard: unknown[] = [];
    store.changes.listen((changes) => heard.push(...changes));
    const channel = new BroadcastChannel(`inpage-mcp:${name}`);
    for (const stranger of [
      1,
      null,
      {},
      [1],
      { head: store.changes.head, changes: [{ kind: 'note' }] },
      {
        head: store.changes.head,
        changes: [{ kind: 'x', key: 'a', type: 'created', listingChanged: true }],
      },
      { head: { ...store.changes.head, sequence: -1 }, changes: [] },
      { head: { ...store.changes.head, sequence: '1' }, changes: [] },
    ]) {
      channel.postMessage(stranger);
    }
    const proper = { kind: 'file', key: 'a', type: 'deleted', listingChanged: true };
    const arrived = new Promise((resolve) => {
      store.changes.listen(resolve);
    });
    channel.postMessage({ head: { ...store.changes.head, sequence: 1 }, changes: [proper] });
    await arrived;
    expect(heard).to.deep.equal([proper]);
    channel.close();
    store.close();
  });

  it('goes on telling when one listener throws', async () => {
    const store = await openStore(name);
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    store.changes.listen(() => {
      throw new Error('broken listener');
    });
    let heard = 0;
    store.changes.listen(() => {
      heard += 1;
    });
    try {
      await store.notes.create({ title: '', text: '' });
    } finally {
      globalThis.reportError = reportError;
    }
    expect(heard).to.equal(1);
    expect(reported.map(String)).to.deep.equal(['Error: broken listener']);
    store.close();
  });
});
