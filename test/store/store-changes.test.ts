import { expect } from '@esm-bundle/chai';
import type { Store, StoreChange } from '@inpage-mcp/store';
// Internal to the package: an announcement in the middle of a read of the log is a matter of luck.
import type { Missed } from '../../packages/store/src/changes/journal.js';
import { StoreChanges } from '../../packages/store/src/changes/store-changes.js';
import type { Head } from '../../packages/store/src/schema/schema.js';
import { answerOf, completionOf, countRecords, freshDatabaseName } from '../support/database.js';
import { useStore } from './store-under-test.js';
import { eventually } from '../support/within.js';

/** After so many transactions, the store deletes the oldest at least once. */
const WRITTEN = 64;

/** Runs something whose announcements reach no other tab, as if that was frozen. */
async function withoutAnnouncements(run: () => Promise<unknown>): Promise<void> {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = () => undefined;
  try {
    await run();
  } finally {
    BroadcastChannel.prototype.postMessage = postMessage;
  }
}

/** A tab and the changes that it was notified of, in batches. */
interface Tab {
  store: Store;
  batches: (readonly StoreChange[])[];
}

describe('a tab that misses an announcement', () => {
  const test = useStore();
  let there: Tab;

  beforeEach(async () => {
    const store = await test.openTab();
    const batches: Tab['batches'] = [];
    store.changes.listen((changes) => batches.push(changes));
    there = { store, batches };
  });

  const create = (title: string) => test.store.notes.create({ title, text: '' });
  const receivedKeys = () => there.batches.flat().map(({ key }) => key);
  const untilReceived = (count: number): Promise<true> =>
    eventually(() => receivedKeys().length >= count);

  it('receives it from the log, once', async () => {
    let id = '';
    await withoutAnnouncements(async () => ({ id } = await create('a')));
    expect(receivedKeys()).to.deep.equal([]);
    await there.store.changes.catchUp();
    const change = { kind: 'note', key: id, type: 'created', listingChanged: true };
    expect(there.batches).to.deep.equal([[change]]);
    await there.store.changes.catchUp();
    expect(there.batches).to.have.length(1);
  });

  it('notices by the next announcement, and receives each change once, in the order of the commits', async () => {
    const ids: string[] = [];
    await withoutAnnouncements(async () => {
      ids.push((await create('a')).id, (await create('b')).id);
    });
    const last = await create('c');
    await untilReceived(3);
    expect(receivedKeys()).to.deep.equal([...ids, last.id]);
    const { id } = await create('d');
    await untilReceived(4);
    expect(receivedKeys().at(-1)).to.equal(id);
  });

  it('reads all that was committed before it catches up, also where it is catching up already', async () => {
    const { changes } = there.store;
    const done = new AbortController();
    const catchingUp = (async () => {
      // timed: the test ends it.
      while (!done.signal.aborted) await changes.catchUp();
    })();
    for (let count = 1; count <= 50; count += 1) {
      await withoutAnnouncements(() => create('a'));
      await changes.catchUp();
      expect(changes.head).to.include({ sequence: count, notes: count });
    }
    done.abort();
    await catchingUp;
    expect(receivedKeys()).to.have.length(50);
  });

  it('is notified that everything may have changed when it has missed too much to know', async () => {
    await withoutAnnouncements(() => test.store.clear());
    await there.store.changes.catchUp();
    expect(there.batches.flat().map(({ kind }) => kind)).to.deep.equal(['everything']);
    await withoutAnnouncements(async () => {
      for (let count = 0; count < 3; count += 1) await create('a');
      await test.store.clear();
      await create('b');
    });
    await there.store.changes.catchUp();
    expect(there.batches.flat().map(({ kind }) => kind)).to.deep.equal([
      'everything',
      'everything',
    ]);
  });

  it('receives 100 changes of one transaction one by one, and more as everything', async () => {
    const notesOf = (count: number) =>
      Array.from({ length: count }, () => ({ title: '', text: '' }));
    await withoutAnnouncements(() => test.store.notes.createAll(notesOf(100)));
    await there.store.changes.catchUp();
    expect(there.batches.flat().map(({ kind }) => kind)).to.deep.equal(Array(100).fill('note'));
    await withoutAnnouncements(() => test.store.notes.createAll(notesOf(101)));
    await there.store.changes.catchUp();
    expect(there.batches.flat().map(({ kind }) => kind)).to.deep.equal([
      ...Array<string>(100).fill('note'),
      'everything',
    ]);
  });

  it('receives 1,000 transactions one by one, and more as everything', async () => {
    // Most of them are written past the store: what it does with each of them is the same.
    const createMany = async (count: number): Promise<void> => {
      const database = await answerOf(indexedDB.open(test.name));
      const transaction = database.transaction(['head', 'log'], 'readwrite');
      const heads = transaction.objectStore('head');
      const head = (await answerOf(heads.get('head'))) as Head;
      for (let n = 1; n <= count - WRITTEN; n += 1) {
        const change = { kind: 'note', key: `${n}`, type: 'updated', listingChanged: false };
        transaction.objectStore('log').put([change], head.sequence + n);
      }
      heads.put({ ...head, sequence: head.sequence + count - WRITTEN }, 'head');
      await completionOf(transaction);
      database.close();
      await withoutAnnouncements(() =>
        Promise.all(Array.from({ length: WRITTEN }, (_, n) => create(`${n}`))),
      );
    };
    await createMany(1_000);
    await there.store.changes.catchUp();
    expect(receivedKeys()).to.have.length(1_000);
    await createMany(1_001);
    await there.store.changes.catchUp();
    expect(there.batches.flat().slice(1_000)).to.have.length(1);
    expect(there.batches.flat().at(-1)).to.have.property('kind', 'everything');
    // The oldest are deleted, and no others.
    const { log } = await countRecords(test.name);
    expect(log).to.be.within(1_000, 1_100);
  });

  it('receives its own changes and those of others, in whatever order they come', async () => {
    const received: string[] = [];
    there.store.changes.listen((changes) => received.push(...changes.map(({ key }) => key)));
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? test.store : there.store).notes.create({ title: '', text: '' }),
      ),
    );
    await eventually(() => received.length >= created.length);
    // A change that was reported twice would come with the log.
    await there.store.changes.catchUp();
    expect(received.toSorted()).to.deep.equal(created.map(({ id }) => id).toSorted());
    expect(there.store.changes.head).to.include({ sequence: 20, notes: 20, files: 0 });
  });
});

describe('an announcement', () => {
  const id = 'a database';
  const headAt = (sequence: number): Head => ({ id, sequence, notes: sequence, files: 0 });
  const changeAt = (sequence: number): StoreChange => ({
    kind: 'note',
    key: `${sequence}`,
    type: 'created',
    listingChanged: true,
  });
  const logUpTo = (sequence: number): Missed => ({
    head: headAt(sequence),
    transactions: Array.from({ length: sequence }, (_, index) => ({
      sequence: index + 1,
      changes: [changeAt(index + 1)],
    })),
  });
  let here: StoreChanges;
  let there: StoreChanges;
  let delivered: string[];
  /** The reads of the log that have not ended, oldest first. */
  let reads: { end(missed: Missed): void; fail(): void }[];
  let readCount: number;

  beforeEach(() => {
    const name = freshDatabaseName();
    reads = [];
    readCount = 0;
    const read = () => {
      readCount += 1;
      return new Promise<Missed>((end, reject) => {
        reads.push({ end, fail: () => reject(new Error('It cannot be read.')) });
      });
    };
    here = new StoreChanges(name, read);
    there = new StoreChanges(name, () => new Promise(() => undefined));
    here.startAt(headAt(0), false);
    there.startAt(headAt(0), false);
    delivered = [];
    here.listen((changes) => delivered.push(...changes.map(({ key }) => key)));
  });

  afterEach(() => {
    here.close();
    there.close();
  });

  const nextRead = async () => {
    await eventually(() => reads.length > 0);
    return reads.shift()!;
  };

  it('of another tab that comes while the log is read has the log read again', async () => {
    void here.catchUp();
    const first = await nextRead();
    there.announce(headAt(1), [changeAt(1)], null);
    first.end(logUpTo(0));
    (await nextRead()).end(logUpTo(2));
    await eventually(() => delivered.length === 2);
    expect(delivered).to.deep.equal(['1', '2']);
    expect(here.head).to.deep.equal(headAt(2));
  });

  it('of this tab that comes while the log is read is not delivered from the log as well', async () => {
    const caughtUp = here.catchUp();
    const read = await nextRead();
    here.announce(headAt(1), [changeAt(1)], null);
    expect(delivered).to.deep.equal(['1']);
    read.end(logUpTo(2));
    await caughtUp;
    expect(delivered).to.deep.equal(['1', '2']);
    expect(here.head).to.deep.equal(headAt(2));
  });

  it('of this tab is not delivered if the log was read after the commit', async () => {
    const caughtUp = here.catchUp();
    (await nextRead()).end(logUpTo(1));
    await caughtUp;
    here.announce(headAt(1), [changeAt(1)], null);
    expect(delivered).to.deep.equal(['1']);
  });

  it('of this tab after a commit of another is delivered at once, and the other from the log', async () => {
    here.announce(headAt(2), [changeAt(2)], null);
    expect(delivered).to.deep.equal(['2']);
    // The listeners to the head would store it: it must not pass a change that may get lost.
    expect(here.head).to.deep.equal(headAt(0));
    const read = await nextRead();
    here.announce(headAt(4), [changeAt(4)], null);
    read.end(logUpTo(2));
    (await nextRead()).end(logUpTo(5));
    await eventually(() => delivered.length === 5);
    expect(delivered).to.deep.equal(['2', '4', '1', '3', '5']);
    expect(here.head).to.deep.equal(headAt(5));
  });

  it('is not lost if the log cannot be read at that moment', async () => {
    there.announce(headAt(1), [changeAt(1)], null);
    (await nextRead()).fail();
    (await nextRead()).end(logUpTo(1));
    await eventually(() => delivered.length === 1);
    expect(here.head).to.deep.equal(headAt(1));
  });

  it('of many has the log read a few times', async () => {
    const start = performance.now();
    for (let sequence = 1; sequence <= 1_000; sequence += 1) {
      there.announce(headAt(sequence), [changeAt(sequence)], null);
      if (sequence % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
      for (const read of reads.splice(0)) read.end(logUpTo(sequence));
    }
    await eventually(() => {
      for (const read of reads.splice(0)) read.end(logUpTo(1_000));
      return delivered.length === 1_000;
    });
    // timed: the slower the machine, the more there may be.
    expect(readCount).to.be.at.most(2 + (performance.now() - start) / 50);
  });
});

describe('an announcement that a stranger has made up', () => {
  const test = useStore();

  for (const [what, ahead] of [
    ['with the next number', 1],
    ['with a number far ahead', 1_000_000],
  ] as const) {
    it(`${what} is not believed, and hides no change`, async () => {
      const { changes } = await test.openTab();
      const received: string[] = [];
      const heads: (number | undefined)[] = [];
      changes.listen((batch) => received.push(...batch.map(({ key }) => key)));
      changes.listenToHead(({ notes }) => heads.push(notes));
      const stranger = new BroadcastChannel(`inpage-mcp:${test.name}`);
      const head = changes.head!;
      const made = { kind: 'note', key: 'made up', type: 'updated', listingChanged: false };
      const sequence = head.sequence + ahead;
      stranger.postMessage({ head: { ...head, sequence, notes: 99, files: 99 }, changes: [made] });
      const { id } = await test.store.notes.create({ title: 'a', text: '' });
      await eventually(() => received.length > 0);
      await changes.catchUp();
      expect(received).to.deep.equal([id]);
      expect(heads).to.deep.equal([1]);
      stranger.close();
    });
  }
});

describe('a log that is damaged', () => {
  const test = useStore();

  it('is taken for everything, and what follows is reported', async () => {
    const there = await test.openTab();
    const received: StoreChange[] = [];
    there.changes.listen((changes) => received.push(...changes));
    await withoutAnnouncements(() => test.store.notes.create({ title: '', text: '' }));
    const database = await answerOf(indexedDB.open(test.name));
    const transaction = database.transaction('log', 'readwrite');
    transaction.objectStore('log').put(null, 1);
    await completionOf(transaction);
    database.close();
    await there.changes.catchUp();
    expect(received.map(({ kind }) => kind)).to.deep.equal(['everything']);
    const { id } = await test.store.notes.create({ title: '', text: '' });
    await eventually(() => received.length >= 2);
    expect(received.at(-1)).to.include({ kind: 'note', key: id });
  });
});

describe('where the database stands', () => {
  const test = useStore();

  it('counts notes and files through every change, in each tab', async () => {
    const { notes, files } = test.store;
    const other = await test.openTab();
    const ids = [];
    for (const title of ['a', 'b', 'c']) ids.push((await notes.create({ title, text: '' })).id);
    await notes.update(ids[0]!, { title: 'x' });
    await notes.append(ids[0]!, 'x');
    await notes.delete(ids[1]!);
    await files.write('a', new Blob(['1']));
    await files.write('a', new Blob(['2']));
    await files.write('b', new Blob(['3']));
    await files.write('c', new Blob(['4']));
    await files.move('a', 'd');
    await files.move('b', 'd', { overwrite: true });
    await files.delete('c');
    expect(test.store.changes.head).to.include({ notes: 2, files: 1, sequence: 13 });
    await other.changes.catchUp();
    expect(other.changes.head).to.deep.equal(test.store.changes.head);
    await test.reopen();
    expect(test.store.changes.head).to.deep.equal(other.changes.head);
  });

  it('does not move for a write that fails, nor for a retry', async () => {
    const { notes } = test.store;
    const options = { idempotencyKey: 'key' };
    await notes.create({ title: 'a', text: '' }, options);
    await notes.create({ title: 'a', text: '' }, options);
    await notes.delete('nothing').catch(() => undefined);
    expect(test.store.changes.head).to.include({ notes: 1, sequence: 1 });
    await test.reopen();
    expect(test.store.changes.head).to.include({ notes: 1, sequence: 1 });
  });
});
