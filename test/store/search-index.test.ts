import { expect } from '@esm-bundle/chai';
import {
  fold,
  MAX_TEXT_BYTES,
  type NoteMatches,
  type NoteSummary,
  openStore,
  type Store,
  type StorageLoss,
} from '@inpage-mcp/store';
import { Database } from '../../packages/store/src/database/database.js';
import { MAX_INDEXED_WORDS } from '../../packages/store/src/schema/limits.js';
import { SegmentCache } from '../../packages/store/src/search/index-state.js';
import { Indexer } from '../../packages/store/src/search/indexer.js';
import { runSearch } from '../../packages/store/src/search/run-search.js';
import { termsOf } from '../../packages/store/src/search/words/terms.js';
import {
  answerOf,
  clearRecords,
  completionOf,
  countingTransactions,
  countRecords,
  deleteDatabase,
  freshDatabaseName,
  putRecords,
  readRecords,
} from '../support/database.js';
import { type DatabaseDump, restoreDatabase } from '../support/database-dump.js';
import { failureOf } from '../support/failure.js';
import { codeOf, useStore } from './store-under-test.js';
import { casesOf, sizeOf } from '../support/test-size.js';
import { itInAll } from '../support/it-in-all.js';
import { randomFrom } from '../support/random.js';
import { eventually } from '../support/within.js';

/** Half of the rounds see an index that is made anew, and a third one that is not updated. */
const ROUNDS = sizeOf({ quick: 4, ci: 12, soak: 100 });

const VOCABULARY =
  'red redder reddest green greens blue Bluebird ÉTÉ été2 x xy 東京 京都 大学 ตลาด 9 99 😀 naïve straße STRASSE'.split(
    ' ',
  );

/** What is stored, as a plain search would look at it. */
interface Model {
  notes: Map<string, { title: string; tags: string[]; text: string }>;
  files: Set<string>;
}

/** Our words have spaces between them, so that these need no dictionary. */
const wordsOf = (text: string): string[] => fold(text).split(/[\s/.]+/u);

const holdsAll = (words: readonly string[], query: string, isLoose: boolean): boolean =>
  wordsOf(query).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || (isLoose && isSimilar(word, wanted))),
  );

/** Whether one typing error, at the first letter that differs, makes the one a beginning of the other. */
function isSimilar(word: string, typed: string): boolean {
  if (!/^[a-z]{4,}$/.test(typed)) return false;
  let same = 0;
  while (word[same] === typed[same]) same += 1;
  if (same === 0 || (same === typed.length - 1 && word.length > typed.length + 1)) return false;
  const [start, wrong, rest] = [typed.slice(0, same), typed[same]!, typed.slice(same + 1)];
  const meant = [`${start}.${rest}`, `${start}.${wrong}${rest}`, `${start}${rest}`];
  if (rest !== '') meant.push(`${start}${rest[0]}${wrong}${rest.slice(1)}`);
  return new RegExp(`^(?:${meant.join('|')})`, 'u').test(word);
}

/** Those that have the words; if there are none, those that have similar words. */
function expected(among: ReadonlyMap<string, readonly string[]>, query: string): string[] {
  const found = (isLoose: boolean): string[] =>
    [...among].filter(([, words]) => holdsAll(words, query, isLoose)).map(([key]) => key);
  const exact = found(false);
  return (exact.length > 0 ? exact : found(true)).toSorted();
}

function expectedNotes({ notes }: Model, query: string, tag?: string): string[] {
  const among = [...notes].filter(([, { tags }]) => tag === undefined || tags.includes(tag));
  const words = among.map(([id, { title, tags, text }]): [string, string[]] => [
    id,
    wordsOf([title, ...tags, text].join(' ')),
  ]);
  return expected(new Map(words), query);
}

const expectedFiles = ({ files }: Model, query: string): string[] =>
  expected(new Map([...files].map((path) => [path, wordsOf(path)])), query);

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

  for (const seed of casesOf([1, 2])) {
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
      for (let round = 0; round < ROUNDS; round += 1) {
        if (round % 4 === 1) await beginAnew();
        for (let index = 0; index < 8; index += 1) await change();
        const queries = [`${words(3)} ${pick(VOCABULARY)}`.trim(), pick(VOCABULARY), 're', '京'];
        // While one of them indexes, or does not.
        const updating = round % 3 === 0 ? undefined : pick(stores).updateIndex();
        await expectRight(pick(stores), model, queries);
        await updating;
        for (const store of stores) await expectRight(store, model, queries);
      }
      await stores[0].updateIndex();
      expect(await counts()).to.include({ unindexed: 0, 'search-backlog': 0 });
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

  it('removes what an earlier version has indexed of files', async () => {
    await test.store.notes.create({ title: 'a note', text: 'word' });
    await test.store.files.write('word.txt', new Blob([]));
    await test.store.updateIndex();
    const database = await answerOf(indexedDB.open(test.name));
    const stores = ['search-segments', 'search-stale', 'search-blocks', 'unindexed'];
    const transaction = database.transaction([...stores, 'search-backlog'], 'readwrite');
    const segments = transaction.objectStore('search-segments');
    const [ofNotes] = (await answerOf(segments.getAll())) as object[];
    for (const keys of [['a/word', 'word.txt'], ['word']]) {
      const segment = { ...ofNotes, kind: 'file', keys, firstWords: ['word'] };
      const number = (await answerOf(segments.add(segment))) as number;
      transaction.objectStore('search-stale').put({ segment: number }, number);
      const starts = Uint32Array.of(0);
      const block = { words: ['word'], starts, postings: Uint8Array.of(0, 80) };
      transaction.objectStore('search-blocks').put(block, [number, 0]);
    }
    transaction.objectStore('unindexed').put(7, ['file', 'b/word']);
    transaction.objectStore('search-backlog').put('', 'file');
    await completionOf(transaction);
    database.close();
    await test.reopen();
    for (let state = 0; state < 2; state += 1) {
      expect((await test.store.notes.search('word')).total).to.equal(1);
      expect(await titlesOf(test.store, 'word')).to.deep.equal(['a note']);
      const { matches } = await test.store.files.search('word');
      expect(matches.map(({ path }) => path)).to.deep.equal(['word.txt']);
      await test.store.notes.create({ title: 'another', text: '' });
      await test.store.updateIndex();
    }
    const left = await counts();
    expect(left).to.include({ unindexed: 0, 'search-backlog': 0 });
    const kinds = (await readRecords(test.name, 'search-segments')) as { kind: string }[];
    expect(new Set(kinds.map(({ kind }) => kind))).to.deep.equal(new Set(['note']));
    expect(left['search-stale']).to.equal(kinds.length);
    expect(left['search-blocks']).to.equal(kinds.length);
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
      // timed: each tab leaves at another moment.
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

  it('does not take what changes at the same time for what it has read', async () => {
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
    const chinese = `${sentence.repeat(5_000)}${'文'.repeat(20_000)}，`;
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

  describe('with a backlog', () => {
    /** Notes that no change has reported, as after an upgrade. */
    const addSilently = async (count: number, text: (index: number) => string): Promise<void> => {
      const database = await answerOf(indexedDB.open(test.name));
      const stores = ['notes', 'note-texts', 'head', 'search-backlog'];
      const transaction = database.transaction(stores, 'readwrite');
      for (let index = 0; index < count; index += 1) {
        const id = idOf(index);
        const times = { createdAt: 1, updatedAt: 1, revision: 1 };
        const note = { id, title: `t${index}`, tags: [], firstLine: '', size: 4, ...times };
        transaction.objectStore('notes').put(note);
        transaction.objectStore('note-texts').put(text(index), id);
      }
      const heads = transaction.objectStore('head');
      const head = (await answerOf(heads.get('head'))) as object;
      heads.put({ ...head, notes: count }, 'head');
      transaction.objectStore('search-backlog').put('', 'note');
      await completionOf(transaction);
      database.close();
    };
    const idOf = (index: number): string => `01HZZZZZZZ${String(index).padStart(16, '0')}`;
    const backlog = () => readRecords(test.name, 'search-backlog');

    itInAll('finds everything, and works it off without writing down what waits', async () => {
      await addSilently(10_500, (index) => `word w${index % 7}`);
      const { notes } = test.store;
      expect((await notes.search('word')).total).to.equal(10_500);
      expect(await titlesOf(test.store, 't10499')).to.deep.equal(['t10499']);
      await notes.update(idOf(3), { title: 'changed' });
      await notes.delete(idOf(10_400));
      await notes.create({ title: 'new', text: 'word' });
      expect((await notes.search('word')).total).to.equal(10_500);
      await test.store.updateIndex();
      const after = await counts();
      expect(after).to.include({ unindexed: 0, 'search-backlog': 0 });
      expect(after['search-segments']).to.be.within(3, 9);
      expect(after['search-stale']).to.equal(after['search-segments']);
      expect((await notes.search('word')).total).to.equal(10_500);
      expect(await titlesOf(test.store, 't3 word')).not.to.include('t3');
      for (const title of ['changed', 'new', 't10499']) {
        expect(await titlesOf(test.store, title)).to.deep.equal([title]);
      }
      expect(await titlesOf(test.store, 't10400')).to.deep.equal([]);
    });

    it('goes on where it was left, with what has changed since', async () => {
      await addSilently(5_000, () => 'word');
      const tab = await openStore(test.name);
      const updating = tab.updateIndex().catch(() => undefined);
      await eventually(async () => (await counts())['search-segments']! > 0);
      tab.close();
      await updating;
      const { notes } = test.store;
      // What was passed, and what was not.
      for (const index of [0, 4_999]) await notes.update(idOf(index), { text: 'other' });
      for (let state = 0; state < 2; state += 1) {
        expect((await notes.search('word')).total).to.equal(4_998);
        expect((await notes.search('other')).total).to.equal(2);
        await test.store.updateIndex();
      }
      expect(await counts()).to.include({ unindexed: 0, 'search-backlog': 0 });
    });

    it('does not take what changes at the same time for what it has read', async () => {
      const text = 'some words of a long text '.repeat(1_000);
      await addSilently(200, () => text);
      const updating = test.store.updateIndex();
      const { notes } = test.store;
      for (let index = 0; index < 20; index += 1) await notes.update(idOf(index), { title: 'z' });
      await updating;
      expect((await notes.search('z')).total).to.equal(20);
      expect((await notes.search('t1 words')).total).to.equal(100);
    });

    it('keeps what cannot be read waiting, until it is written again', async () => {
      await addSilently(3, () => 'word');
      await putRecords(test.name, 'notes', [{ id: idOf(1), title: 7 }, { id: idOf(2) }]);
      await test.store.updateIndex();
      expect(await backlog()).to.deep.equal([]);
      expect((await counts())['unindexed']).to.equal(2);
      expect(await titlesOf(test.store, 'word')).to.deep.equal(['t0']);
      const [good] = (await test.store.notes.list()).notes;
      await putRecords(test.name, 'notes', [{ ...good, id: idOf(1) }]);
      await test.store.notes.update(idOf(1), { title: 'written again' });
      await test.store.updateIndex();
      expect((await counts())['unindexed']).to.equal(1);
      expect(await titlesOf(test.store, 'again')).to.deep.equal(['written again']);
    });

    it('has what could not be read looked at again at the next update', async () => {
      await addSilently(1, () => 'word');
      await putRecords(test.name, 'notes', [{ id: idOf(0) }]);
      await test.store.updateIndex();
      expect((await counts())['search-segments']).to.equal(0);
      await addSilently(1, () => 'word');
      await test.store.updateIndex();
      expect(await counts()).to.include({ 'search-segments': 1, unindexed: 0 });
    });

    it('is cleared with the store', async () => {
      await addSilently(3, () => 'word');
      await test.store.clear();
      expect(await backlog()).to.deep.equal([]);
    });

    it('comes from an earlier version, however many notes there are', async () => {
      const url = new URL('../fixtures/databases/v2.json', import.meta.url);
      const dump = (await (await fetch(url)).json()) as DatabaseDump;
      const name = freshDatabaseName();
      (await restoreDatabase(name, dump)).close();
      const store = await openStore(name);
      const upgraded = await countRecords(name);
      expect(upgraded).to.include({ unindexed: 0, 'search-backlog': 2 });
      expect(store.changes.head).to.include({
        notes: upgraded['notes'],
        files: upgraded['files'],
      });
      await store.updateIndex();
      const indexed = (await readRecords(name, 'search-segments')) as { keys: string[] }[];
      const keys = indexed.reduce((sum, segment) => sum + segment.keys.length, 0);
      expect(keys).to.equal(upgraded['notes']);
      expect((await countRecords(name))['search-backlog']).to.equal(0);
      store.close();
      await deleteDatabase(name);
    });
  });

  it('knows the first different words of a text, and no more, in every state', async () => {
    const words = Array.from({ length: MAX_INDEXED_WORDS + 1 }, (_, index) => `w${index}x`);
    const text = `${words.join(' ')} w0x`;
    await test.store.notes.create({ title: 'title', tags: ['tag'], text });
    const found = async (query: string) => (await test.store.notes.search(query)).total;
    for (let state = 0; state < 2; state += 1) {
      expect(await found(words.at(-2)!)).to.equal(1);
      expect(await found(words.at(-1)!)).to.equal(0);
      expect(await found('w0x')).to.equal(1);
      expect(await found('title tag')).to.equal(1);
      expect((await test.store.notes.search('w0x', { tag: 'tag' })).total).to.equal(1);
      await test.store.updateIndex();
    }
  });

  it('ends a segment where it has very many words, and does not make such ones again', async () => {
    const textOf = (first: number): string =>
      Array.from({ length: 40_000 }, (_, index) => `w${first + index}`).join(' ');
    const texts = Array.from({ length: 6 }, (_, index) => textOf(index * 40_000));
    await test.store.notes.createAll(texts.map((text, index) => ({ title: `t${index}`, text })));
    await test.store.updateIndex();
    const segments = (await readRecords(test.name, 'search-segments')) as { keys: string[] }[];
    expect(segments.map(({ keys }) => keys.length)).to.deep.equal([3, 3]);
    await test.store.updateIndex();
    expect((await readRecords(test.name, 'search-segments')).length).to.equal(2);
    for (let index = 0; index < 6; index += 1) {
      const query = `w${index * 40_000 + 39_999}`;
      expect(await titlesOf(test.store, query)).to.deep.equal([`t${index}`]);
    }
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

  it('is made anew when the dictionaries of another browser version made it', async () => {
    await test.store.notes.create({ title: '東京の大学', text: '' });
    await test.store.files.write('大学/東京.txt', new Blob([]));
    await test.store.updateIndex();
    // As where those knew no word of it.
    const database = await answerOf(indexedDB.open(test.name));
    const stores = ['search-segments', 'search-blocks'];
    const transaction = database.transaction(stores, 'readwrite');
    const segments = transaction.objectStore('search-segments');
    for (const key of await answerOf(segments.getAllKeys())) {
      const segment = (await answerOf(segments.get(key))) as object;
      const changed = { segmentation: 'other', firstWords: ['東京の大学'] };
      segments.put({ ...segment, ...changed }, key);
      const blocks = transaction.objectStore('search-blocks');
      const block = (await answerOf(blocks.get([key as number, 0]))) as { words: string[] };
      const words = block.words.map((_, index) => `東京の大学${index}`);
      blocks.put({ ...block, words }, [key as number, 0]);
    }
    await completionOf(transaction);
    database.close();
    await test.reopen();
    for (let state = 0; state < 2; state += 1) {
      expect(await titlesOf(test.store, '大学')).to.deep.equal(['東京の大学']);
      expect((await test.store.files.search('東京')).total).to.equal(1);
      await test.store.updateIndex();
      expect(await counts()).to.include({ 'search-segments': 1, 'search-stale': 1, unindexed: 0 });
    }
  });

  describe('where a read fails', () => {
    const add = async (): Promise<void> => {
      const notes = Array.from({ length: 10 }, (_, n) => ({ title: `t${n}`, text: 'word' }));
      await test.store.notes.createAll(notes);
    };
    const segmentKeys = async (): Promise<number[]> => {
      const states = (await readRecords(test.name, 'search-stale')) as { segment: number }[];
      return states.map(({ segment }) => segment);
    };
    const totalOf = async () => (await test.store.notes.search('word')).total;

    it('is left alone when the connection was lost', async () => {
      await add();
      await test.store.updateIndex();
      const before = await segmentKeys();
      await test.reopen();
      await withFailing(
        'UnknownError',
        { stores: ['search-segments', 'search-blocks'], times: 1 },
        async () => {
          expect(await totalOf()).to.equal(10);
        },
      );
      await test.reopen();
      const stores = ['search-segments', 'search-blocks', 'head', 'notes'];
      await withFailing('UnknownError', { stores, times: Infinity }, async () => {
        expect(await codeOf(totalOf())).to.equal('failed');
      });
      expect(await segmentKeys()).to.deep.equal(before);
      expect(await totalOf()).to.equal(10);
    });

    it('is made anew when the browser cannot make out a part of it, some minutes apart', async () => {
      await add();
      await test.store.updateIndex();
      const now = performance.now.bind(performance);
      try {
        for (let time = 0; time < 2; time += 1) {
          const before = await segmentKeys();
          const tab = await openStore(test.name);
          tab.close();
          await test.store.clear().then(add);
          await test.store.updateIndex();
          expect(before).to.have.length(1);
          await withFailing(
            'DataError',
            { stores: ['search-blocks'], times: Infinity },
            async () => {
              expect(await totalOf()).to.equal(10);
            },
          );
          expect(await counts()).to.include({ 'search-segments': 0, 'search-backlog': 1 });
          await test.store.updateIndex();
          performance.now = () => now() + 600_000;
        }
      } finally {
        performance.now = now;
      }
    });

    it('is not asked when it is damaged again soon: all notes are read', async () => {
      const failing = { stores: ['search-blocks'], times: Infinity };
      await add();
      for (let time = 0; time < 3; time += 1) {
        await test.store.updateIndex();
        const tab = await test.openTab();
        await withFailing('DataError', failing, async () => {
          expect(await totalOf()).to.equal(10);
          expect((await tab.notes.search('word', { limit: 3 })).matches).to.have.length(3);
        });
      }
    });

    it('waits for the tab that indexes before it is made anew, as long as its signal says', async () => {
      await add();
      await test.store.updateIndex();
      await clearRecords(test.name, 'search-blocks');
      await test.reopen();
      const before = await segmentKeys();
      const release = await holdLock();
      const controller = new AbortController();
      const search = test.store.notes.search('word', { signal: controller.signal });
      await untilWaiting();
      controller.abort(new Error('enough'));
      expect(String(await failureOf(search))).to.equal('Error: enough');
      expect(await segmentKeys()).to.deep.equal(before);
      release();
      expect(await totalOf()).to.equal(10);
      expect(await segmentKeys()).to.deep.equal([]);
    });

    it('does not say of entries that they cannot be read, when the connection was lost', async () => {
      await add();
      const losses: StorageLoss[] = [];
      const tab = await openStore(test.name, { onloss: (loss) => losses.push(loss) });
      const { notes } = await tab.notes.list();
      // Of chosen notes all is read one by one, without a look at the index.
      const chosen = new Set(notes.map(({ id }) => id));
      const view = tab.within(() => ({ notes: chosen, files: 'all' }));
      await withFailing('DataError', { stores: ['notes', 'head'], times: Infinity }, async () => {
        expect(await codeOf(view.notes.search('word'))).to.equal('failed');
      });
      expect(losses).to.deep.equal([]);
      expect((await tab.notes.search('word')).total).to.equal(10);
      tab.close();
    });

    it('says so of those that it cannot read, and of no other', async () => {
      await add();
      const losses: StorageLoss[] = [];
      const tab = await openStore(test.name, { onloss: (loss) => losses.push(loss) });
      const { notes } = await test.store.notes.list();
      const key = notes[4]!.id;
      await withFailing('DataError', { stores: ['notes'], key, times: Infinity }, async () => {
        expect((await tab.notes.search('word')).total).to.equal(9);
      });
      const entries = losses.flatMap((loss) => (loss.reason === 'unreadable' ? loss.entries : []));
      expect(entries).to.deep.equal([{ kind: 'note', key }]);
      tab.close();
    });
  });

  /** Does what another tab does that indexes. Returns what ends it. */
  async function holdLock(): Promise<() => void> {
    return await new Promise((resolve) => {
      void navigator.locks.request(
        `inpage-mcp:${test.name}:search-index`,
        () => new Promise<void>((release) => resolve(() => release())),
      );
    });
  }

  /** When somebody waits for that. */
  async function untilWaiting(): Promise<void> {
    const name = `inpage-mcp:${test.name}:search-index`;
    await eventually(async () => {
      const { pending = [] } = await navigator.locks.query();
      return pending.some((lock) => lock.name === name);
    });
  }

  it('ends an update of the index that waits for another tab when the store is closed', async () => {
    const release = await holdLock();
    const updating = codeOf(test.store.updateIndex());
    await untilWaiting();
    test.store.close();
    expect(await updating).to.equal('closed');
    release();
  });

  describe('that has to catch up', () => {
    /** A search that reads three of the pending notes. */
    async function searchSome(word: string): Promise<NoteMatches> {
      const database = new Database(test.name);
      const search = { terms: termsOf(word), limit: 20, maxPending: 3 };
      const found = await runSearch(database, new SegmentCache(), search);
      database.close();
      return found;
    }
    const titlesIn = ({ matches }: NoteMatches): string[] => matches.map(({ note }) => note.title);
    const add = async (count: number, text: string): Promise<NoteSummary[]> =>
      await test.store.notes.createAll(
        Array.from({ length: count }, (_, n) => ({ title: `${text} ${n}`, text })),
      );

    it('answers from what it has and from the newest notes, and counts the others', async () => {
      await add(2, 'early');
      await test.store.updateIndex();
      const release = await holdLock();
      await add(3, 'late');
      const whole = await searchSome('l');
      expect(titlesIn(whole)).to.deep.equal(['late 2', 'late 1', 'late 0']);
      expect(whole).to.not.have.property('unsearched');
      await add(2, 'last');
      expect(titlesIn(await searchSome('l'))).to.deep.equal(['last 1', 'last 0', 'late 2']);
      const found = await searchSome('ea');
      expect(titlesIn(found)).to.deep.equal(['early 1', 'early 0']);
      expect(found).to.include({ total: 2, unsearched: 2 });
      expect(await test.store.notes.search('l')).to.deep.include({ total: 5 });
      release();
      await test.store.updateIndex();
      expect(await searchSome('l'))
        .to.deep.include({ total: 5 })
        .and.not.have.any.keys('unsearched');
    });

    it('finds no note by words that it has no longer', async () => {
      const notes = await add(8, 'before');
      await test.store.updateIndex();
      const release = await holdLock();
      for (const { id } of notes.slice(1)) {
        await test.store.notes.update(id, { title: 'after', text: 'after' });
      }
      await test.store.notes.delete(notes[7]!.id);
      expect(titlesIn(await searchSome('before'))).to.deep.equal(['before 0']);
      expect(await searchSome('after')).to.include({ unsearched: 4 });
      release();
    });

    it('says so of notes that were there before it, too', async () => {
      await add(5, 'note');
      await beginAnew();
      await clearRecords(test.name, 'unindexed');
      expect(titlesIn(await searchSome('note'))).to.deep.equal(['note 4', 'note 3', 'note 2']);
      expect(await searchSome('note')).to.include({ total: 3, unsearched: 2 });
    });

    it('reads many pending notes at a time', async () => {
      const release = await holdLock();
      await add(2_000, 'note');
      const count = await countingTransactions(() => test.store.notes.search('note'), 'note-texts');
      // The index, 200, 400, 800 and 600 notes, and the best.
      expect(count).to.equal(6);
      release();
    });

    it('takes turns with large writes, while others wait for neither', async () => {
      const name = `inpage-mcp:large:${test.name}`;
      const order: string[] = [];
      const note = async (what: string, call: Promise<unknown>): Promise<void> => {
        await call;
        order.push(what);
      };
      const waiting = async (count: number): Promise<void> => {
        await eventually(async () => {
          const { pending = [] } = await navigator.locks.query();
          return pending.filter((lock) => lock.name === name).length === count;
        });
      };
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        void navigator.locks.request(name, () => {
          resolve();
          return new Promise<void>((end) => (release = end));
        });
      });
      await held;
      const releaseIndex = await holdLock();
      const database = new Database(test.name);
      const { signal } = new AbortController();
      const calls = [note('first write', add(1_000, 'note'))];
      await waiting(1);
      calls.push(note('index', new Indexer(database, new SegmentCache(), signal).run()));
      await waiting(2);
      calls.push(note('second write', add(1_000, 'note')));
      await waiting(3);
      await test.store.notes.create({ title: 'small', text: '' });
      expect(order).to.deep.equal([]);
      release();
      await Promise.all(calls);
      expect(order).to.deep.equal(['first write', 'index', 'second write']);
      database.close();
      releaseIndex();
    });

    it('lets as many large writes as one likes wait, and be done also after the store is closed', async () => {
      const count = sizeOf({ quick: 3, ci: 10, soak: 10 });
      const writes = Array.from({ length: count }, (_, n) => add(1_000, `${n}`));
      const { signal } = new AbortController();
      const database = new Database(test.name);
      const indexing = new Indexer(database, new SegmentCache(), signal).run();
      test.store.close();
      expect((await Promise.all(writes)).flat()).to.have.length(count * 1_000);
      await indexing;
      database.close();
    });
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

  /** Waits for what the store does without being asked. */
  async function untilIndexed(): Promise<void> {
    await eventually(async () => {
      const { unindexed, 'search-backlog': backlog } = await counts();
      return unindexed === 0 && backlog === 0;
    });
  }

  /** Throws the index away, as where a part of it is gone. */
  async function beginAnew(): Promise<void> {
    const database = await answerOf(indexedDB.open(test.name));
    const stores = ['search-segments', 'search-stale', 'search-blocks', 'search-backlog'];
    const transaction = database.transaction(stores, 'readwrite');
    for (const store of stores) transaction.objectStore(store).clear();
    transaction.objectStore('search-backlog').put('', 'note');
    await completionOf(transaction);
    database.close();
  }
});

interface Failing {
  stores: readonly string[];
  /** Default: all keys. */
  key?: string;
  /** How often it fails. */
  times: number;
}

/** While `run` runs, requests for single values fail, as where the browser cannot make them out. */
async function withFailing(
  exception: string,
  { stores, key, times }: Failing,
  run: () => Promise<void>,
): Promise<void> {
  const { get } = IDBObjectStore.prototype;
  let left = times;
  IDBObjectStore.prototype.get = function failing(query) {
    const request = get.call(this, query);
    if (!stores.includes(this.name) || (key !== undefined && key !== query) || left <= 0) {
      return request;
    }
    left -= 1;
    const error = new DOMException('It failed.', exception);
    Object.defineProperty(request, 'error', { value: error });
    request.addEventListener('success', (event) => {
      event.stopImmediatePropagation();
      Object.defineProperty(this.transaction, 'error', { value: error, configurable: true });
      request.dispatchEvent(new Event('error'));
    });
    return request;
  };
  try {
    await run();
  } finally {
    IDBObjectStore.prototype.get = get;
  }
}

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
