import { expect } from '@esm-bundle/chai';
import { Random } from '../fuzz/random.js';
import { useStore } from './store-under-test.js';

/** What a search forgives: accents that are not typed, and one typing error in a word. */
describe('a forgiving search', () => {
  const test = useStore();

  const addNote = async (title: string, text = ''): Promise<void> => {
    await test.store.notes.create({ title, text });
  };
  const addFile = async (path: string): Promise<void> => {
    await test.store.files.write(path, new Blob(['x']));
  };
  const titlesFor = async (query: string): Promise<string[]> =>
    (await test.store.notes.search(query)).matches.map(({ note }) => note.title);
  const pathsFor = async (query: string): Promise<string[]> =>
    (await test.store.files.search(query)).matches.map(({ path }) => path);

  const alike: readonly [stored: string, query: string][] = [
    ['Café', 'cafe'],
    ['cafe', 'café'],
    ['Straße', 'strasse'],
    ['STRASSE', 'straße'],
    ['naïve façade', 'facade naive'],
    ['Łódź', 'lodz'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Þingvellir', 'thingvellir'],
    ['ışık', 'isik'],
    ['Việt Nam', 'viet nam'],
    ['Ёлка', 'елка'],
    ['οδός', 'ΟΔΟΣ'],
    ['שָׁלוֹם', 'שלום'],
    ['كِتَاب', 'كتاب'],
  ];
  for (const [stored, query] of alike) {
    it(`takes ${query} for ${stored}, in notes and in paths, in the index and before`, async () => {
      await addNote(stored);
      await addFile(`${stored}.txt`);
      expect(await titlesFor(query)).to.deep.equal([stored]);
      await test.store.updateIndex();
      expect(await titlesFor(query)).to.deep.equal([stored]);
      expect(await pathsFor(query)).to.deep.equal([`${stored}.txt`]);
    });
  }

  it('distinguishes letters whose marks are no accents', async () => {
    for (const title of ['がくせい', 'हिन्दी', 'อ่าน', '한국']) await addNote(title);
    for (const query of ['かくせい', 'हनद', '하국']) expect(await titlesFor(query)).to.be.empty;
    for (const title of ['がくせい', 'हिन्दी', '한국']) {
      expect(await titlesFor(title)).to.deep.equal([title]);
    }
  });

  it('shows the excerpt around a word with accents', async () => {
    await addNote('a', `${'é '.repeat(3_000)} the Café on the corner ${'é '.repeat(3_000)}`);
    const { matches } = await test.store.notes.search('cafe');
    expect(matches[0]?.excerpt).to.include('the Café on the corner');
  });

  const typos: readonly [what: string, query: string][] = [
    ['a wrong letter', 'shupping'],
    ['a missing letter', 'shoping'],
    ['a letter too much', 'shoppping'],
    ['two letters exchanged', 'shpoping'],
    ['a wrong last letter', 'shoppinh'],
    ['a beginning with a wrong letter', 'shapp'],
  ];
  for (const [what, query] of typos) {
    it(`forgives ${what}, in the index and before`, async () => {
      await addNote('Shopping list', 'oat milk');
      await addFile('lists/Shopping 2.txt');
      for (const isIndexed of [false, true]) {
        if (isIndexed) await test.store.updateIndex();
        const found = await test.store.notes.search(query);
        expect(found.matches.map(({ note }) => note.title)).to.deep.equal(['Shopping list']);
        expect(found).to.include({ total: 1, isApproximate: true });
      }
      expect(await pathsFor(query)).to.deep.equal(['lists/Shopping 2.txt']);
      expect((await test.store.files.search(query)).isApproximate).to.equal(true);
    });
  }

  const tooMuch: readonly [what: string, query: string][] = [
    ['two errors', 'shupqing'],
    ['an error in the first letter', 'chopping'],
    ['an error in a word of three letters', 'mil oar'],
    ['a number with another digit', '2027'],
    ['a last letter that begins a much longer word', 'shox'],
    ['a word of another script', '買い物'],
  ];
  for (const [what, query] of tooMuch) {
    it(`does not forgive ${what}`, async () => {
      await addNote('Shopping 2026', 'oat milk');
      await addFile('Shopping 2026.txt');
      expect(await titlesFor(query)).to.be.empty;
      await test.store.updateIndex();
      expect(await test.store.notes.search(query)).to.deep.equal({ matches: [], total: 0 });
      expect(await test.store.files.search(query)).to.deep.equal({ matches: [], total: 0 });
    });
  }

  it('forgives an error in a word of four letters, the shortest', async () => {
    await addNote('milk and oats');
    expect(await titlesFor('mulk')).to.deep.equal(['milk and oats']);
    await test.store.updateIndex();
    expect(await titlesFor('mulk')).to.deep.equal(['milk and oats']);
    expect(await titlesFor('mul')).to.be.empty;
  });

  it('forgives nothing where something has the words as they were typed', async () => {
    await addNote('stapling');
    await addNote('stapping');
    const { matches, isApproximate } = await test.store.notes.search('stapling');
    expect(matches.map(({ note }) => note.title)).to.deep.equal(['stapling']);
    expect(isApproximate).to.equal(undefined);
  });

  it('takes the words without an error as they are, and a tag by the letter', async () => {
    await test.store.notes.create({ title: 'green apples', text: '', tags: ['food'] });
    await test.store.notes.create({ title: 'green plums', text: '', tags: ['foot'] });
    const { matches } = await test.store.notes.search('green aples', { tag: 'food' });
    expect(matches.map(({ note }) => note.title)).to.deep.equal(['green apples']);
    expect((await test.store.notes.search('aples', { tag: 'foot' })).total).to.equal(0);
  });

  it('shows the excerpt around the word that is meant', async () => {
    await addNote('a', `${'hay '.repeat(200)}here is the needle ${'hay '.repeat(200)}`);
    const { matches } = await test.store.notes.search('neelde');
    expect(matches[0]?.excerpt).to.include('here is the needle');
  });

  it('stays within a scope', async () => {
    const { id } = await test.store.notes.create({ title: 'needles', text: '' });
    await addNote('needless');
    const part = test.store.within(() => ({ notes: new Set([id]), files: 'all' }));
    const { matches } = await part.notes.search('neeldes');
    expect(matches.map(({ note }) => note.id)).to.deep.equal([id]);
  });

  it('finds the same by the index and without it, whatever is typed', async () => {
    const random = new Random(7);
    const word = (): string =>
      Array.from({ length: 3 + random.below(5) }, () => 'abcé'[random.below(4)]).join('');
    const words = Array.from({ length: 150 }, word);
    await test.store.notes.createAll(words.map((title) => ({ title, text: word() })));
    const queries = Array.from({ length: 80 }, word);
    const before = [];
    for (const query of queries) before.push(await titlesFor(query));
    await test.store.updateIndex();
    const after = [];
    for (const query of queries) after.push(await titlesFor(query));
    expect(after).to.deep.equal(before);
    expect(before.filter((titles) => titles.length > 0).length).to.be.above(20);
  });
});
