import { expect } from '@open-wc/testing';
import { fold, MAX_TEXT_BYTES, openStore, type Store } from '@inpage-mcp/store';
import { clearRecords, countRecords, putRecords, readRecords } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useStore } from './store-under-test.js';

const VOCABULARY =
  'red redder reddest green greens blue Bluebird ÉTÉ été2 x xy 東京 京都 大学 ตลาด 9 99 😀 naïve straße STRASSE'.split(
    ' ',
  );

/** Random numbers that are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What is stored, as a plain search would look at it. */
interface Model {
  notes: Map<string, { title: string; tags: string[]; text: string }>;
  files: Set<string>;
}

/** Our words have spaces between them, so that these need no dictionary. */
const wordsOf = (text: string): string[] => fold(text).split(/[\s/.]+/u);

const holdsAll = (words: readonly string[], query: string): boolean =>
  wordsOf(query).every((wanted) => words.some((word) => word.startsWith(wanted)));

function expectedNotes({ notes }: Model, query: string, tag?: string): string[] {
  return [...notes]
    .filter(([, { title, tags, text }]) => {
      const words = wordsOf([title, ...tags, text].join(' '));
      return holdsAll(words, query) && (tag === undefined || tags.includes(tag));
    })
    .map(([id]) => id)
    .toSorted();
}

const expectedFiles = ({ files }: Model, query: string): string[] =>
  [...files].filter((path) => holdsAll(wordsOf(path), query)).toSorted();

describe('the search index', () => {
  const test = useStore();

  const counts = async (): Promise<{ [store: string]: number }> => await countRecords(test.name);

  async function expectRight(
    store: Store,
    model: Model,
    queries: readonly string[],
  ): Promise<void> {
    for (const query of queries) {
      const tag = query.length % 2 === 0 ? undefined : 'red';
      const notes = await store.notes.search(query, { limit: 100, ...(tag && { tag }) });
      const ids = notes.matches.map(({ note }) => note.id).toSorted();
      expect(ids, query).to.deep.equal(expectedNotes(model, query, tag));
      expect(notes.total).to.equal(ids.length);
      const files = await store.files.search(query, { limit: 100 });
      const paths = files.matches.map(({ path }) => path).toSorted();
      expect(paths, query).to.deep.equal(expectedFiles(model, query));
    }
  }

  for (const seed of [1, 2, 3]) {
    it(`says what a plain search says, whatever it knows already (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const pick = <Value>(from: readonly Value[]): Value => from[random(from.length)]!;
      const words = (most: number): string =>
        Array.from({ length: random(most) }, () => pick(VOCABULARY)).join(' ');
      const stores = [test.store, await test.openTab()] as const;
      const model: Model = { notes: new Map(), files: new Set() };
      const change = async (): Promise<void> => {
        const { notes, files } = pick(stores);
        const id = pick([...model.notes.keys(), '']);
        const path = pick([...model.files, '']);
        const newPath = `${words(3).replaceAll(' ', '/') || 'x'}/${pick(VOCABULARY)}.${random(5)}`;
        const kind = random(8);
        if (kind === 0 && id) {
          await notes.delete(id);
          model.notes.delete(id);
        } else if (kind === 1 && id) {
          const update = { title: words(3), tags: words(3).split(' ') };
          await notes.update(id, update);
          Object.assign(model.notes.get(id)!, update);
        } else if (kind === 2 && id) {
          model.notes.get(id)!.text = (await notes.append(id, words(4))).text;
        } else if (kind === 3 && path && !model.files.has(newPath)) {
          await files.move(path, newPath);
          model.files.delete(path);
          model.files.add(newPath);
        } else if (kind === 4 && path) {
          await files.delete(path);
          model.files.delete(path);
        } else if (kind === 5) {
          await files.write(newPath, new Blob(['x']));
          model.files.add(newPath);
        } else {
          const note = { title: words(3), tags: words(3).split(' '), text: words(9) };
          model.notes.set((await notes.create(note)).id, note);
        }
      };
      for (let round = 0; round < 12; round += 1) {
        for (let index = 0; index < 8; index += 1) await change();
        const queries = [`${words(3)} ${pick(VOCABULARY)}`.trim(), pick(VOCABULARY), 're', '京'];
        // While one of them indexes, or does not.
        const updating = round % 3 === 0 ? undefined : pick(stores).updateIndex();
        await expectRight(pick(stores), model, queries);
        await updating;
        for (const store of stores) await expectRight(store, model, queries);
      }
      await stores[0].updateIndex();
      expect((await counts())['unindexed']).to.equal(0);
      await expectRight(stores[1], model, VOCABULARY);
    });
  }

  const titlesOf = async (store: Store, query: string): Promise<string[]> =>
    (await store.notes.search(query, { limit: 100 })).matches.map(({ note }) => note.title);

  it('is there after a reload, and reads no text to find a title', async () => {
    const notes = Array.from({ length: 50 }, (_, index) => ({ title: `t${index}`, text: 'some' }));
    await test.store.notes.createAll(notes);
    await test.store.updateIndex();
    const before = await counts();
    expect(before['search-segments']).to.equal(1);
    await test.reopen();
    const read = countReads();
    try {
      expect(await titlesOf(test.store, 't17')).to.deep.equal(['t17']);
      expect(read.of('note-texts')).to.equal(1);
      expect(read.of('notes')).to.equal(1);
    } finally {
      read.end();
    }
    expect(await counts()).to.deep.equal(before);
  });

  it('is brought up to date by itself, soon after a change', async () => {
    await test.store.notes.create({ title: 'one', text: '' });
    await untilIndexed();
    expect((await counts())['search-segments']).to.equal(1);
    await test.store.clear();
    expect(await titlesOf(test.store, 'one')).to.deep.equal([]);
    await test.store.notes.create({ title: 'two', text: '' });
    await untilIndexed();
    expect(await titlesOf(test.store, 't')).to.deep.equal(['two']);
  });

  it('is worked off after a start, whatever was left', async () => {
    await test.store.notes.create({ title: 'one', text: '' });
    await test.reopen();
    await untilIndexed();
    expect(await titlesOf(test.store, 'one')).to.deep.equal(['one']);
  });

  it('has few segments after many changes, and nothing of what is gone', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      ids.push((await test.store.notes.create({ title: `n${round}`, text: 'word' })).id);
      if (round % 4 === 3) await test.store.notes.delete(ids[round - 2]!);
      await test.store.updateIndex();
    }
    const full = await counts();
    expect(full['search-segments']).to.be.below(10);
    expect(full['search-stale']).to.equal(full['search-segments']);
    expect((await test.store.notes.search('word')).total).to.equal(30);
    for (const { id } of (await test.store.notes.list()).notes) await test.store.notes.delete(id);
    await test.store.updateIndex();
    const { unindexed, ...rest } = await counts();
    expect(unindexed).to.equal(0);
    for (const name of ['search-segments', 'search-stale', 'search-blocks']) {
      expect(rest[name], name).to.equal(0);
    }
  });

  it('may be left at any moment: nothing is lost and nothing stays behind', async () => {
    const notes = Array.from({ length: 600 }, (_, index) => ({
      title: `t${index}`,
      text: `word ${index} `.repeat(100),
    }));
    await test.store.notes.createAll(notes);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const tab = await openStore(test.name);
      const updating = tab.updateIndex().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, attempt * 15));
      tab.close();
      await updating;
      expect((await test.store.notes.search('word')).total).to.equal(600 - attempt);
      await test.store.notes.update(
        (await test.store.notes.search(`t${attempt}`)).matches[0]!.note.id,
        {
          text: 'other',
        },
      );
    }
    await test.store.updateIndex();
    expect((await test.store.notes.search('word')).total).to.equal(592);
    const segments = (await readRecords(test.name, 'search-segments')) as {
      firstWords: string[];
    }[];
    const blocks = segments.reduce((sum, { firstWords }) => sum + firstWords.length, 0);
    const { 'search-blocks': stored, 'search-stale': states, unindexed } = await counts();
    expect({ stored, states, unindexed }).to.deep.equal({
      stored: blocks,
      states: segments.length,
      unindexed: 0,
    });
  });

  it('does not take what changes meanwhile for what it has read', async () => {
    const text = 'some words of a long text '.repeat(1_000);
    const { notes } = test.store;
    const made = await notes.createAll(
      Array.from({ length: 200 }, () => ({ title: 'before', text })),
    );
    const updating = test.store.updateIndex();
    for (const { id } of made.slice(0, 20)) await notes.update(id, { title: 'after' });
    await updating;
    expect((await notes.search('before')).total).to.equal(180);
    expect((await notes.search('after')).total).to.equal(20);
  });

  it('may be made in two tabs at once, also without locks', async () => {
    const notes = Array.from({ length: 300 }, (_, index) => ({ title: `t${index}`, text: 'word' }));
    await test.store.notes.createAll(notes);
    const tab = await test.openTab();
    const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks')!;
    Reflect.deleteProperty(Navigator.prototype, 'locks');
    try {
      await Promise.all([test.store.updateIndex(), tab.updateIndex(), test.store.updateIndex()]);
    } finally {
      Object.defineProperty(Navigator.prototype, 'locks', locks);
    }
    expect((await tab.notes.search('word')).total).to.equal(300);
    expect(await titlesOf(tab, 't299')).to.deep.equal(['t299']);
  });

  it('finds all words of a text of any length, whatever it is made of', async () => {
    const { notes } = test.store;
    const sentence = '我们在图书馆里读书。';
    const chinese = `${sentence.repeat(20_000)}${'文'.repeat(20_000)}，`;
    await notes.create({ title: 'chinese', text: `${chinese}最后的园艺` });
    const unbroken = 'x'.repeat(MAX_TEXT_BYTES - 10);
    await notes.create({ title: 'unbroken', text: `${unbroken} last` });
    for (let state = 0; state < 2; state += 1) {
      expect(await titlesOf(test.store, '园艺 图书馆')).to.deep.equal(['chinese']);
      expect(await titlesOf(test.store, 'last')).to.deep.equal(['unbroken']);
      expect(await titlesOf(test.store, 'x'.repeat(100))).to.deep.equal(['unbroken']);
      expect((await notes.search('园艺')).matches[0]?.excerpt).to.match(/最后的园艺$/);
      await test.store.updateIndex();
    }
  });

  it('leaves the thread to others while it takes a long text apart', async () => {
    const text = '我们在图书馆里读书。'.repeat(10_000);
    await test.store.notes.create({ title: '', text });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await test.store.updateIndex();
    clearInterval(timer);
    expect(turns).to.be.above(5);
  });

  it('skips what cannot be read, and finds the others', async () => {
    const { id } = await test.store.notes.create({ title: 'spoilt word', text: 'word' });
    await test.store.notes.create({ title: 'good', text: 'word' });
    await test.store.files.write('word.txt', new Blob([]));
    await test.store.files.write('bad/word.txt', new Blob([]));
    await putRecords(test.name, 'notes', [{ id, title: 7 }]);
    await putRecords(test.name, 'files', [{ path: 'bad/word.txt' }]);
    for (let state = 0; state < 2; state += 1) {
      expect(await test.store.notes.search('word').then(({ total }) => total)).to.equal(1);
      expect(await titlesOf(test.store, 'word')).to.deep.equal(['good']);
      const { matches } = await test.store.files.search('word');
      expect(matches.map(({ path }) => path)).to.deep.equal(['word.txt']);
      await test.store.updateIndex();
    }
    // Spoilt after it was indexed.
    const { notes } = await test.store.notes.list();
    await putRecords(test.name, 'notes', [{ id: notes[0]!.id }]);
    expect(await titlesOf(test.store, 'word')).to.deep.equal([]);
  });

  it('is made anew when a part of it is gone', async () => {
    for (const missing of ['search-blocks', 'search-segments']) {
      const { id } = await test.store.notes.create({ title: missing, text: 'needle' });
      await test.store.files.write(`${missing}/needle.txt`, new Blob([]));
      await test.store.updateIndex();
      await clearRecords(test.name, missing);
      // What this tab has in memory hides the loss.
      await test.reopen();
      const { matches } = await test.store.notes.search(`needle ${missing}`);
      expect(matches.map(({ note }) => note.id)).to.deep.equal([id]);
      await test.store.updateIndex();
      expect(await counts()).to.include({ unindexed: 0 });
      expect((await test.store.notes.search('needle')).total).to.be.above(0);
      expect((await test.store.files.search('needle')).total).to.be.above(0);
    }
  });

  it('ends a search and an update of the index when the store is closed', async () => {
    await test.store.notes.create({ title: 'x', text: 'word '.repeat(1_000_000) });
    const [searching, updating] = [test.store.notes.search('word'), test.store.updateIndex()];
    const failures = [failureOf(searching), failureOf(updating)];
    test.store.close();
    for (const failure of await Promise.all(failures)) expect(failure).to.be.instanceOf(Error);
  });

  describe('of a part of the store', () => {
    it('has nothing of the rest, not even in its total', async () => {
      const { id } = await test.store.notes.create({ title: 'inside', text: 'word' });
      await test.store.notes.create({ title: 'outside', text: 'word' });
      for (const path of ['in/word.txt', 'in/deep/word', 'word', 'inner/word']) {
        await test.store.files.write(path, new Blob([]));
      }
      const files = { paths: new Set<string>(), folders: new Set(['in']) };
      const view = test.store.within(() => ({ notes: new Set([id, 'gone']), files }));
      for (let state = 0; state < 2; state += 1) {
        const notes = await view.notes.search('word');
        expect(notes.matches.map(({ note }) => note.title)).to.deep.equal(['inside']);
        expect(notes.total).to.equal(1);
        const found = await view.files.search('word');
        expect(found.matches.map(({ path }) => path)).to.deep.equal([
          'in/deep/word',
          'in/word.txt',
        ]);
        expect(found.total).to.equal(2);
        await test.store.updateIndex();
      }
    });
  });

  /** Waits for what the store does without being told. */
  async function untilIndexed(): Promise<void> {
    while ((await counts())['unindexed'] !== 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

/** Counts the values that are read one by one from object stores, and forbids to read many. */
function countReads() {
  const counts = new Map<string, number>();
  const { get, getAll } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.get = function (...args) {
    counts.set(this.name, (counts.get(this.name) ?? 0) + 1);
    return get.apply(this, args);
  };
  IDBObjectStore.prototype.getAll = function (...args) {
    if (this.name.startsWith('note')) throw new Error('All notes are read.');
    return getAll.apply(this, args);
  };
  return {
    of: (store: string) => counts.get(store) ?? 0,
    end: () => Object.assign(IDBObjectStore.prototype, { get, getAll }),
  };
}
