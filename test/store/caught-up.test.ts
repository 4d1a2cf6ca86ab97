import { expect } from '@esm-bundle/chai';
import type { Store, StoreChange } from '@inpage-mcp/store';
// Internal to the package: an announcement in the middle of a read of the log is a matter of luck.
import { type Missed, StoreChanges } from '../../packages/store/src/changes/store-changes.js';
import type { Head } from '../../packages/store/src/schema/schema.js';
import { answerOf, completionOf, freshDatabaseName } from '../support/database.js';
import { useStore } from './store-under-test.js';

/** Runs something whose announcements reach no other tab, as if that was frozen. */
async function unheard(run: () => Promise<unknown>): Promise<void> {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = () => undefined;
  try {
    await run();
  } finally {
    BroadcastChannel.prototype.postMessage = postMessage;
  }
}

/** A tab and what it was told, in batches. */
interface Tab {
  store: Store;
  told: (readonly StoreChange[])[];
}

describe('a tab that misses an announcement', () => {
  const test = useStore();
  let there: Tab;

  beforeEach(async () => {
    const store = await test.openTab();
    const told: Tab['told'] = [];
    store.changes.listen((changes) => told.push(changes));
    there = { store, told };
  });

  const create = (title: string) => test.store.notes.create({ title, text: '' });
  const heardOf = () => there.told.flat().map(({ key }) => key);
  const hears = async (count: number): Promise<void> => {
    while (heardOf().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('hears of it from the log, once', async () => {
    let id = '';
    await unheard(async () => ({ id } = await create('a')));
    expect(heardOf()).to.deep.equal([]);
    await there.store.changes.catchUp();
    const change = { kind: 'note', key: id, type: 'created', listingChanged: true };
    expect(there.told).to.deep.equal([[change]]);
    await there.store.changes.catchUp();
    expect(there.told).to.have.length(1);
  });

  it('notices by the next announcement, and hears each change once', async () => {
    const ids: string[] = [];
    await unheard(async () => {
      ids.push((await create('a')).id, (await create('b')).id);
    });
    const last = await create('c');
    await hears(3);
    // What came in time is told at once, what was missed after it.
    expect(heardOf()).to.deep.equal([last.id, ...ids]);
    const { id } = await create('d');
    await hears(4);
    expect(heardOf().at(-1)).to.equal(id);
  });

  it('reads all that was committed before it catches up, also where it is catching up already', async () => {
    const { changes } = there.store;
    const done = new AbortController();
    const catchingUp = (async () => {
      while (!done.signal.aborted) await changes.catchUp();
    })();
    for (let count = 1; count <= 50; count += 1) {
      await unheard(() => create('a'));
      await changes.catchUp();
      expect(changes.head).to.include({ sequence: count, notes: count });
    }
    done.abort();
    await catchingUp;
    expect(heardOf()).to.have.length(50);
  });

  it('is told that everything may have changed when it has missed too much to know', async () => {
    await unheard(() => test.store.clear());
    await there.store.changes.catchUp();
    expect(there.told.flat().map(({ kind }) => kind)).to.deep.equal(['everything']);
    await unheard(async () => {
      for (let count = 0; count < 3; count += 1) await create('a');
      await test.store.clear();
      await create('b');
    });
    await there.store.changes.catchUp();
    expect(there.told.flat().map(({ kind }) => kind)).to.deep.equal(['everything', 'everything']);
  });

  it('hears of 100 changes of one transaction one by one, and of more as of everything', async () => {
    const notesOf = (count: number) =>
      Array.from({ length: count }, () => ({ title: '', text: '' }));
    await unheard(() => test.store.notes.createAll(notesOf(100)));
    await there.store.changes.catchUp();
    expect(there.told.flat().map(({ kind }) => kind)).to.deep.equal(Array(100).fill('note'));
    await unheard(() => test.store.notes.createAll(notesOf(101)));
    await there.store.changes.catchUp();
    expect(there.told.flat().map(({ kind }) => kind)).to.deep.equal([
      ...Array<string>(100).fill('note'),
      'everything',
    ]);
  });

  it('hears of 1,000 transactions one by one, and of more as of everything', async () => {
    const createMany = (count: number) =>
      unheard(() => Promise.all(Array.from({ length: count }, (_, n) => create(`${n}`))));
    await createMany(1_000);
    await there.store.changes.catchUp();
    expect(heardOf()).to.have.length(1_000);
    await createMany(1_001);
    await there.store.changes.catchUp();
    expect(
      there.told
        .flat()
        .slice(1_000)
        .map(({ kind }) => kind),
    ).to.deep.equal(['everything']);
  });

  it('hears of its own changes and those of others, in whatever order they come', async () => {
    const heard: string[] = [];
    there.store.changes.listen((changes) => heard.push(...changes.map(({ key }) => key)));
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? test.store : there.store).notes.create({ title: '', text: '' }),
      ),
    );
    while (heard.length < created.length) await new Promise((resolve) => setTimeout(resolve, 10));
    // A change that was told twice would come with the log.
    await there.store.changes.catchUp();
    expect(heard.toSorted()).to.deep.equal(created.map(({ id }) => id).toSorted());
    expect(there.store.changes.head).to.include({ sequence: 20, notes: 20, files: 0 });
  });

  it('is not led astray by what a stranger numbers ahead', async () => {
    const channel = new BroadcastChannel(`inpage-mcp:${test.name}`);
    const { head } = there.store.changes;
    channel.postMessage({ head: { ...head, sequence: 1_000_000 }, changes: [] });
    const { id } = await create('a');
    await hears(1);
    // The gap is closed a moment later.
    while (there.store.changes.head?.sequence === 0) await new Promise((go) => setTimeout(go, 10));
    expect(there.store.changes.head).to.include({ sequence: 1, notes: 1 });
    await unheard(() => create('b'));
    await there.store.changes.catchUp();
    expect(heardOf()).to.have.length(2);
    expect(heardOf()[0]).to.equal(id);
    channel.close();
  });
});

describe('an announcement that comes while the log is read', () => {
  const id = 'a database';
  const headAt = (sequence: number): Head => ({ id, sequence, notes: sequence, files: 0 });
  const changeAt = (sequence: number): StoreChange => ({
    kind: 'note',
    key: `${sequence}`,
    type: 'created',
    listingChanged: true,
  });
  const loggedAt = (sequence: number) => ({ sequence, changes: [changeAt(sequence)] });
  let here: StoreChanges;
  let there: StoreChanges;
  let delivered: string[];
  /** Gives what was read of the log. */
  let read: (missed: Missed) => void;

  beforeEach(() => {
    const name = freshDatabaseName();
    const missed = new Promise<Missed>((resolve) => (read = resolve));
    here = new StoreChanges(name, () => missed);
    there = new StoreChanges(name, () => missed);
    here.startAt(headAt(0), false);
    there.startAt(headAt(0), false);
    delivered = [];
    here.listen((changes) => delivered.push(...changes.map(({ key }) => key)));
  });

  afterEach(() => {
    here.close();
    there.close();
  });

  const announce = async (sequence: number): Promise<void> => {
    there.announce(headAt(sequence), [changeAt(sequence)]);
    while (!delivered.includes(`${sequence}`))
      await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('does not hide what the log has after it', async () => {
    const caughtUp = here.catchUp();
    await announce(1);
    read({ head: headAt(2), transactions: [loggedAt(1), loggedAt(2)] });
    await caughtUp;
    expect(here.head).to.deep.equal(headAt(2));
    expect(delivered).to.deep.equal(['1', '2']);
  });

  it('does not hide what the log has before it, nor the other way round', async () => {
    const caughtUp = here.catchUp();
    await announce(3);
    read({ head: headAt(1), transactions: [loggedAt(1)] });
    await caughtUp;
    expect(here.head).to.deep.equal(headAt(1));
    await announce(2);
    expect(here.head).to.deep.equal(headAt(3));
    expect(delivered).to.deep.equal(['3', '1', '2']);
  });
});

describe('an announcement that a stranger has made up', () => {
  const test = useStore();
  let there: Tab;
  let stranger: BroadcastChannel;

  beforeEach(async () => {
    const store = await test.openTab();
    const told: Tab['told'] = [];
    store.changes.listen((changes) => told.push(changes));
    there = { store, told };
    stranger = new BroadcastChannel(`inpage-mcp:${test.name}`);
  });

  afterEach(() => stranger.close());

  const create = (title: string) => test.store.notes.create({ title, text: '' });
  const keysHeard = () => there.told.flat().map(({ key }) => key);
  const hears = async (key: string): Promise<void> => {
    while (!keysHeard().includes(key)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const change = { kind: 'note', key: 'made up', type: 'updated', listingChanged: false } as const;
  /** With the next number, or one after it, and with numbers of notes and files that are not true. */
  const makeUp = async (changes: readonly StoreChange[], ahead = 1): Promise<void> => {
    const head = there.store.changes.head!;
    const heard = new Promise((resolve) => {
      const listener = new BroadcastChannel(`inpage-mcp:${test.name}`);
      listener.onmessage = () => (listener.close(), resolve(undefined));
    });
    const sequence = head.sequence + ahead;
    stranger.postMessage({ head: { ...head, sequence, notes: 99, files: 99 }, changes });
    await heard;
  };

  for (const [what, changes] of [
    ['without any changes', []],
    ['with others', [change]],
    ['with more than the log keeps', Array.from({ length: 101 }, () => change)],
  ] as const) {
    it(`${what} does not keep the change of that number from being told`, async () => {
      await makeUp(changes);
      const { id } = await create('a');
      await hears(id);
      await there.store.changes.catchUp();
      expect(there.store.changes.head).to.include({ sequence: 1, notes: 1, files: 0 });
      const next = await create('b');
      await hears(next.id);
      expect(keysHeard().filter((key) => key !== change.key)).to.deep.equal([id, next.id]);
    });

    it(`${what} does not either where the tab died before it announced it`, async () => {
      let id = '';
      await unheard(async () => ({ id } = await create('a')));
      await makeUp(changes);
      await hears(id);
    });
  }

  it('is not believed longer than it takes to look', async () => {
    await makeUp([]);
    expect(there.store.changes.head).to.include({ sequence: 1, notes: 99 });
    await there.store.changes.catchUp();
    expect(there.store.changes.head).to.include({ sequence: 0, notes: 0, files: 0 });
  });

  it('gives way to what the tab itself has committed under the number', async () => {
    await makeUp([]);
    const { id } = await there.store.notes.create({ title: 'a', text: '' });
    expect(keysHeard()).to.deep.equal([id]);
    expect(there.store.changes.head).to.include({ sequence: 1, notes: 1, files: 0 });
    await there.store.changes.catchUp();
    expect(keysHeard()).to.deep.equal([id]);
  });
});

describe('a log that is damaged', () => {
  const test = useStore();

  it('is taken for everything, and what follows is told', async () => {
    const there = await test.openTab();
    const told: StoreChange[] = [];
    there.changes.listen((changes) => told.push(...changes));
    await unheard(() => test.store.notes.create({ title: '', text: '' }));
    const database = await answerOf(indexedDB.open(test.name));
    const transaction = database.transaction('log', 'readwrite');
    transaction.objectStore('log').put(null, 1);
    await completionOf(transaction);
    database.close();
    await there.changes.catchUp();
    expect(told.map(({ kind }) => kind)).to.deep.equal(['everything']);
    const { id } = await test.store.notes.create({ title: '', text: '' });
    while (told.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(told.at(-1)).to.include({ kind: 'note', key: id });
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
