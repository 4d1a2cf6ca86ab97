import { expect } from '@esm-bundle/chai';
import { openStore, type Store, type StoreError } from '@inpage-mcp/store';
// Internal to the package: what there is only in Chromium, and a store that does nothing by itself.
import type { Transaction } from '../../packages/store/src/database/begin-transaction.js';
import { BrowserLog, ROTATION_TIMEOUT_MS } from '../../packages/store/src/database/browser-log.js';
import { Database } from '../../packages/store/src/database/database.js';
import { canLogBeTruncated } from '../../packages/store/src/database/log-rotation.js';
import { answerOf, completionOf, deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { useLogRotation } from '../support/log-rotation.js';
import { eventually } from '../support/within.js';

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

/** It is asked for three times, as once may come to nothing. */
const RENEWED = ['renewed', 'renewed', 'renewed'];

/** For a transaction of which only counts when it may begin. */
async function count(transaction: Transaction<['once'], IDBTransactionMode>): Promise<void> {
  await transaction.objectStore('once').count();
}

describe('the database', () => {
  /** However slow the machine is, a new log takes no longer than it may unless a test says so. */
  const timers = useFakeTimers({ only: (delayMs) => delayMs === ROTATION_TIMEOUT_MS });
  let name: string;

  beforeEach(() => {
    name = freshDatabaseName();
  });

  afterEach(() => deleteDatabase(name));

  it('steps aside for a newer version at once, and says so from then on', async () => {
    let notifications = 0;
    const store = await openStore(name, { onnewerversion: () => (notifications += 1) });
    await store.notes.create({ title: 'a', text: 'b' });
    const newer = await openRaw(name, 1000);
    expect(notifications).to.equal(1);
    expect(await codeOf(store.notes.list())).to.equal('newer-version');
    newer.close();
    expect(await codeOf(store.notes.list())).to.equal('newer-version');
    expect(notifications).to.equal(1);
    store.close();
  });

  it('does not open, change or delete a database of a newer version', async () => {
    (await openRaw(name, 1000)).close();
    expect(await codeOf(openStore(name))).to.equal('newer-version');
    const kept = await openRaw(name, 1000);
    expect(kept.version).to.equal(1000);
    kept.close();
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

  for (const attempts of [1, 2]) {
    const then = attempts === 1 ? 'opens again' : 'gives up';
    it(`${then} where the browser closes a first connection while it opens, ${attempts} times`, async () => {
      const { open } = IDBFactory.prototype;
      let failures = 0;
      IDBFactory.prototype.open = function (database, version) {
        if (database === name && (failures += 1) <= attempts)
          throw new DOMException('The connection was closed.', 'AbortError');
        return open.call(this, database, version);
      };
      try {
        const opening = openStore(name);
        if (attempts === 2) expect(await codeOf(opening)).to.equal('failed');
        else (await opening).close();
      } finally {
        IDBFactory.prototype.open = open;
      }
    });
  }

  /** A timer writes the space that is kept free for deletions, and the index of the search, at any moment. */
  const isOfTimer = ({ objectStoreNames }: IDBTransaction): boolean =>
    ['ballast', 'search-segments'].some((name) => objectStoreNames.contains(name));

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

  it('acknowledges and reports a write after its strict transaction has completed', async () => {
    const store = await openStore(name);
    const events: string[] = [];
    store.changes.listen(() => events.push('reported'));
    await observing(
      (transaction) => {
        if (transaction.mode === 'readonly' || isOfTimer(transaction)) return;
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
    const once = ['completed', 'reported', 'acknowledged'];
    expect(events).to.deep.equal(Array.from({ length: 8 }, () => once).flat());
    store.close();
  });

  it('acknowledges and reports nothing of a transaction that aborts after its last request', async () => {
    const store = await openStore(name);
    const { id } = await store.notes.create({ title: 'kept', text: 'kept' });
    let calls = 0;
    store.changes.listen(() => {
      calls += 1;
    });
    // As on a full disk: every request of the write succeeds, and its transaction does not.
    const spoil = (transaction: IDBTransaction): void => {
      if (transaction.mode === 'readonly') return;
      const { objectStore } = transaction;
      const { add } = IDBObjectStore.prototype;
      let puts = 0;
      transaction.objectStore = (storeName) => {
        const found = objectStore.call(transaction, storeName);
        for (const method of ['put', 'add'] as const) {
          const original = found[method];
          found[method] = (...args) => {
            const request = original.apply(found, args);
            puts += 1;
            // The same again, which cannot be: nobody but the transaction is notified of that.
            if (puts === 2) add.apply(found, args);
            return request;
          };
        }
        return found;
      };
    };
    // That is also how WebKit says that the disk is full.
    const full = 'quota-exceeded';
    await observing(spoil, async () => {
      expect(await codeOf(store.notes.create({ title: 'a', text: 'b' }))).to.equal(full);
      expect(await codeOf(store.notes.update(id, { text: 'b' }))).to.equal(full);
      expect(await codeOf(store.files.write('a', new Blob(['b'])))).to.equal(full);
    });
    expect(calls).to.equal(0);
    expect((await store.notes.list()).notes).to.have.length(1);
    expect((await store.notes.get(id)).text).to.equal('kept');
    expect((await store.files.list()).files).to.deep.equal([]);
    store.close();
  });

  const isRenewal = (databaseName: string): boolean =>
    databaseName.startsWith(`inpage-mcp:renewal:${name}:`);
  const renewals = async (): Promise<string[]> =>
    (await indexedDB.databases()).map(({ name: found = '' }) => found).filter(isRenewal);

  /** What was done in its order: logs that were begun anew, and transactions that wrote. */
  async function renewalsAndWrites(run: (events: string[]) => Promise<void>): Promise<string[]> {
    const events: string[] = [];
    const { deleteDatabase: original } = IDBFactory.prototype;
    IDBFactory.prototype.deleteDatabase = function observed(deleted) {
      const request = original.call(this, deleted);
      if (isRenewal(deleted)) request.addEventListener('success', () => events.push('renewed'));
      return request;
    };
    const look = (transaction: IDBTransaction): void => {
      if (transaction.mode === 'readwrite' && !isOfTimer(transaction)) events.push('written');
    };
    try {
      await observing(look, () => run(events));
    } finally {
      IDBFactory.prototype.deleteDatabase = original;
    }
    return events;
  }

  /** Lets no log be begun anew; returns what ends that. */
  function failRenewals(cause: () => DOMException): () => void {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function failing(opened, ...version) {
      if (isRenewal(opened)) throw cause();
      return open.call(this, opened, ...version);
    };
    return () => {
      IDBFactory.prototype.open = open;
    };
  }

  /** WebKit does not report lost data, and has no log of that kind: there nothing is renewed. */
  const onlyWhereLogsBreak = (): void => {
    useLogRotation();

    before(function () {
      if (!canLogBeTruncated()) this.skip();
    });
  };

  describe('after a kill, which may have broken off the log', () => {
    onlyWhereLogsBreak();

    it('has it begun anew at each start, before anything is written', async () => {
      for (const count of [1, 2]) {
        let store!: Store;
        const events = await renewalsAndWrites(async () => {
          store = await openStore(name);
          await store.notes.create({ title: 'a', text: '' });
        });
        expect(events).to.deep.equal([...RENEWED, 'written']);
        expect((await store.notes.list()).notes).to.have.length(count);
        store.close();
      }
    });

    it('does so where nothing is written, too', async () => {
      const events = await renewalsAndWrites(async (soFar) => {
        const store = await openStore(name);
        await eventually(() => soFar.length === RENEWED.length);
        store.close();
      });
      expect(events).to.deep.equal(RENEWED);
      expect(await renewals()).to.deep.equal([]);
    });

    it('does not refuse to write where the browser grants no room for it, and tries again', async () => {
      const restore = failRenewals(() => new DOMException('no room', 'QuotaExceededError'));
      const store = await openStore(name);
      try {
        await store.notes.create({ title: 'a', text: '' });
      } finally {
        restore();
      }
      const events = await renewalsAndWrites(async () => {
        await store.notes.create({ title: 'b', text: '' });
      });
      expect(events).to.deep.equal([...RENEWED, 'written']);
      store.close();
    });

    it('takes away what a tab has left that was killed', async () => {
      (await openRaw(`inpage-mcp:renewal:${name}:left`)).close();
      const held = await openRaw(`inpage-mcp:renewal:${name}:held`);
      const store = await openStore(name);
      await store.notes.create({ title: 'a', text: '' });
      await eventually(async () => String(await renewals()) === held.name);
      held.close();
      await eventually(async () => (await renewals()).length === 0);
      store.close();
    });

    /** Opens each database that is made for it, and holds it; returns what ends that. */
    function holdRenewals(): () => Promise<number> {
      const { open } = IDBFactory.prototype;
      const held: Promise<IDBDatabase>[] = [];
      IDBFactory.prototype.open = function holding(opened, ...version) {
        const request = open.call(this, opened, ...version);
        if (isRenewal(opened)) held.push(answerOf(open.call(this, opened)));
        return request;
      };
      return async () => {
        IDBFactory.prototype.open = open;
        for (const database of held) (await database).close();
        return held.length;
      };
    }

    it('goes on without where somebody holds what it makes for that, and leaves nothing', async () => {
      const release = holdRenewals();
      const store = await openStore(name);
      await store.notes.create({ title: 'a', text: '' });
      const later = await openStore(name);
      await later.notes.create({ title: 'a', text: '' });
      expect((await later.notes.list()).notes).to.have.length(2);
      expect(await release()).to.equal(2 * 3 * RENEWED.length);
      await eventually(async () => (await renewals()).length === 0);
      store.close();
      later.close();
    });

    /** Has the browser not answer an open of what is made for it; returns what ends that. */
    async function silenceRenewals(): Promise<() => Promise<number>> {
      const silent = `silent ${name}`;
      const held = await openRaw(silent);
      // An open of it now waits without a word.
      const deletion = deleteDatabase(silent);
      const { open } = IDBFactory.prototype;
      let count = 0;
      IDBFactory.prototype.open = function silenced(opened, ...version) {
        if (!isRenewal(opened)) return open.call(this, opened, ...version);
        count += 1;
        return open.call(this, silent);
      };
      return async () => {
        IDBFactory.prototype.open = open;
        held.close();
        await deletion;
        await deleteDatabase(silent);
        return count;
      };
    }

    it('goes on without, and does not wait again, where the browser does not answer', async () => {
      const end = await silenceRenewals();
      const store = await openStore(name);
      const create = () => store.notes.create({ title: 'a', text: '' });
      const creating = Promise.all(Array.from({ length: 20 }, create));
      timers.pass(ROTATION_TIMEOUT_MS);
      await creating;
      await create();
      expect((await store.notes.list()).notes).to.have.length(21);
      store.close();
      expect(await end()).to.equal(1);
    });

    it('gives up with all that wait for it where the log is broken off for sure', async () => {
      // Without the writes of a store that nobody has asked for: each may try anew.
      const database = new Database(name);
      const write = () => database.run(['once'], 'readwrite', count);
      await write();
      let connection: IDBDatabase | undefined;
      const look = (transaction: IDBTransaction): IDBDatabase => (connection = transaction.db);
      await observing(look, write);
      connection?.dispatchEvent(new Event('close'));
      const end = await silenceRenewals();
      // It opens the database again, with which the renewal begins.
      await database.run(['once'], 'readonly', count);
      await timers.until(1);
      const codes = Promise.all(Array.from({ length: 20 }, () => codeOf(write())));
      // Without a task of the browser, the first of them comes to wait for the renewal.
      await new Promise((resolve) => setTimeout(resolve));
      timers.pass(ROTATION_TIMEOUT_MS);
      expect(new Set(await codes)).to.deep.equal(new Set(['timeout']));
      expect(await end()).to.equal(1);
      await write();
      database.close();
    });

    it('has it begun anew once more where it breaks off while that is under way', async () => {
      const database = new Database(name);
      let connection: IDBDatabase | undefined;
      const look = (transaction: IDBTransaction): IDBDatabase => (connection = transaction.db);
      const events = await renewalsAndWrites(async (soFar) => {
        // It opens the database, with which the first renewal begins.
        await observing(look, () => database.run(['once'], 'readonly', count));
        const writing = database.run(['once'], 'readwrite', count);
        // timed: what is read lets the writer begin.
        while (soFar.length === 0) await database.run(['once'], 'readonly', count);
        connection?.dispatchEvent(new Event('close'));
        await writing;
      });
      expect(events).to.deep.equal([...RENEWED, ...RENEWED, 'written']);
      database.close();
    });

    it('gives the reason of a signal that was aborted while it waited for that', async () => {
      const restore = failRenewals(() => new DOMException('no disk', 'UnknownError'));
      const store = await openStore(name);
      const controller = new AbortController();
      const { signal } = controller;
      const writing = store.notes.create({ title: 'a', text: '' }, { signal });
      controller.abort();
      try {
        expect(await failureOf(writing)).to.equal(signal.reason);
      } finally {
        restore();
      }
      store.close();
    });

    it('is more thorough after a full disk, and then nothing is written without it', async () => {
      const log = new BrowserLog(name, () => undefined);
      const rotations = async (): Promise<number> =>
        (await renewalsAndWrites(() => log.ensureRotated())).length;
      expect(await rotations()).to.equal(RENEWED.length);
      expect(log.isTruncated).to.equal(false);
      // As where a write failed for want of room, and the browser has closed the connection.
      log.recordFailedWrite('quota');
      log.recordLoss();
      expect(log.wasFull).to.equal(true);
      // There is no room for another log: a deletion is tried all the same.
      log.recordOpening('unknown');
      expect(log.isTruncated).to.equal(false);
      log.recordOpening('free');
      const restore = failRenewals(() => new DOMException('no room', 'QuotaExceededError'));
      try {
        expect(await failureOf(log.ensureRotated())).to.include({ name: 'QuotaExceededError' });
      } finally {
        restore();
      }
      expect([log.isTruncated, log.wasFull]).to.deep.equal([true, false]);
      expect(await rotations()).to.equal(10);
      expect(log.isTruncated).to.equal(false);
      // After that, it is as at any start.
      log.recordDrop();
      expect(await rotations()).to.equal(RENEWED.length);
    });

    it('refuses to write where it fails for want of a disk', async () => {
      const restore = failRenewals(() => new DOMException('no disk', 'UnknownError'));
      const store = await openStore(name);
      try {
        expect(await codeOf(store.notes.create({ title: 'a', text: '' }))).to.equal(
          'quota-exceeded',
        );
        expect((await store.notes.list()).notes).to.deep.equal([]);
      } finally {
        restore();
      }
      await store.notes.create({ title: 'a', text: '' });
      store.close();
    });
  });

  it('is opened once more where the browser finds no room although there is some, and not without end', async () => {
    const { prototype } = IDBFactory;
    const { open } = prototype;
    for (const [refusals, code] of [
      [1, undefined],
      [2, 'quota-exceeded'],
    ] as const) {
      let left: number = refusals;
      prototype.open = function refuse(this: IDBFactory, ...args: [string, number?]) {
        if (args[0] !== name || left === 0) return open.apply(this, args);
        left -= 1;
        throw new DOMException('FILE_ERROR_NO_SPACE', 'UnknownError');
      };
      try {
        const opening = openStore(name);
        if (code === undefined) (await opening).close();
        else expect(await codeOf(opening)).to.equal(code);
      } finally {
        prototype.open = open;
      }
      expect(left).to.equal(0);
    }
  });

  describe('of which the browser closes the connection, as when the disk is full', () => {
    onlyWhereLogsBreak();

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
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      let writing!: Promise<string>;
      const look = ({ db, mode }: IDBTransaction): void => {
        if (db === connection && mode === 'readwrite') begin();
      };
      await observing(look, async () => {
        writing = codeOf(store.notes.create({ title: 'a', text: 'b' }));
        await begun;
      });
      const reading = store.notes.list();
      // An event of the browser comes in a task of its own.
      await new Promise((resolve) => setTimeout(resolve));
      connection.dispatchEvent(new Event('close'));
      // What really was closed would not come to an end after all.
      connection.close();
      isBusy = false;
      expect(await writing).to.equal('quota-exceeded');
      expect((await reading).notes).to.have.length.lessThan(2);
      store.close();
    });

    it('has the log begun anew before it is written to, and again where that may have come to nothing', async () => {
      const store = await openStore(name);
      await store.notes.create({ title: 'before', text: '' });
      (await connectionOf(store)).dispatchEvent(new Event('close'));
      const events = await renewalsAndWrites(async () => {
        await store.notes.list();
        await Promise.all([
          store.notes.create({ title: 'a', text: 'b' }),
          store.notes.create({ title: 'c', text: 'd' }),
        ]);
        await store.notes.create({ title: 'e', text: 'f' });
      });
      const renewed = ['renewed', 'renewed', 'renewed'];
      expect(events).to.deep.equal([...renewed, 'written', 'written', 'written']);
      store.close();
    });

    it('refuses to write as long as that fails', async () => {
      const store = await openStore(name);
      await store.notes.create({ title: 'before', text: '' });
      (await connectionOf(store)).dispatchEvent(new Event('close'));
      const restore = failRenewals(() => new DOMException('no disk', 'UnknownError'));
      try {
        expect(await codeOf(store.notes.create({ title: 'a', text: '' }))).to.equal(
          'quota-exceeded',
        );
      } finally {
        restore();
      }
      await store.notes.create({ title: 'a', text: '' });
      expect((await store.notes.list()).notes).to.have.length(2);
      store.close();
    });
  });

  it('notifies other connections of this origin of what was committed', async () => {
    const [here, there] = await Promise.all([openStore(name), openStore(name)]);
    const notification = new Promise((resolve) => {
      there.changes.listen(resolve);
    });
    const { id } = await here.notes.create({ title: 'a', text: 'b' });
    expect(await notification).to.deep.equal([
      { kind: 'note', key: id, type: 'created', listingChanged: true },
    ]);
    expect((await there.notes.get(id)).text).to.equal('b');
    here.close();
    there.close();
  });

  it('ignores what strangers post on its channel', async () => {
    const store = await openStore(name);
    const received: unknown[] = [];
    store.changes.listen((changes) => received.push(...changes));
    const channel = new BroadcastChannel(`inpage-mcp:${name}`);
    for (const stranger of [
      1,
      null,
      {},
      [1],
      { head: 1 },
      { head: { ...store.changes.head, sequence: -1 } },
      { head: { ...store.changes.head, sequence: '1' } },
      { head: { ...store.changes.head, id: 'another' } },
    ]) {
      channel.postMessage(stranger);
    }
    const { id } = await store.notes.create({ title: '', text: '' });
    await store.changes.catchUp();
    expect(received).to.have.length(1).with.nested.property('0.key', id);
    channel.close();
    store.close();
  });

  it('goes on notifying when one listener throws', async () => {
    const store = await openStore(name);
    const reported: unknown[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(error);
    store.changes.listen(() => {
      throw new Error('broken listener');
    });
    let calls = 0;
    store.changes.listen(() => {
      calls += 1;
    });
    try {
      await store.notes.create({ title: '', text: '' });
    } finally {
      globalThis.reportError = reportError;
    }
    expect(calls).to.equal(1);
    expect(reported.map(String)).to.deep.equal(['Error: broken listener']);
    store.close();
  });
});
