import { expect } from '@esm-bundle/chai';
import {
  MAX_MATCHES,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  MAX_TEXT_BYTES,
  type NewNote,
} from '@inpage-mcp/store';
import { failureOf } from '../support/failure.js';
import { codeOf, useStore } from './store-under-test.js';
import { leastTime } from '../support/slowness.js';
import { itInAll } from '../support/it-in-all.js';

describe('searching the notes', () => {
  const test = useStore();

  const add = async (...notes: Partial<NewNote>[]): Promise<void> => {
    for (const note of notes) await test.store.notes.create({ title: '', text: '', ...note });
  };
  /** The titles of what a query finds. */
  const find = async (query: string, options = {}): Promise<string[]> =>
    (await test.store.notes.search(query, options)).matches.map(({ note }) => note.title);
  const excerptFor = async (query: string): Promise<string | undefined> =>
    (await test.store.notes.search(query)).matches[0]?.excerpt;

  it('finds what has every word in its title, tags or text', async () => {
    await add(
      { title: 'all in title: red green' },
      { title: 'all in text', text: 'some green and red things' },
      { title: 'all in tags', tags: ['greenish reds'] },
      { title: 'here and there, red', tags: ['x', 'ever-green'] },
      { title: 'one is missing, red', text: 'gr een, evergreen' },
      { title: 'both are missing' },
    );
    expect(await find('red  GREEN')).to.have.members([
      'all in title: red green',
      'all in text',
      'all in tags',
      'here and there, red',
    ]);
    expect((await test.store.notes.search(' \tred\ngreen ')).total).to.equal(4);
    expect((await find('"red", (green)!')).length).to.equal(4);
  });

  it('finds words by their beginnings, and not by what is inside of them', async () => {
    await add(
      { title: 'a', text: 'bread' },
      { title: 'b', text: 'bre' },
      { title: 'c', text: 'br' },
    );
    expect(await find('bre')).to.deep.equal(['b', 'a']);
    expect(await find('bread')).to.deep.equal(['a']);
    expect(await find('read')).to.deep.equal([]);
  });

  it('returns whole summaries, without texts', async () => {
    await add({ title: 'a', text: '# b\nc', tags: ['d'], priority: 1, audience: ['user'] });
    const { notes } = await test.store.notes.list();
    const { matches } = await test.store.notes.search('c');
    expect(matches).to.deep.equal([{ note: notes[0], excerpt: '# b c' }]);
  });

  const alike: [stored: string, query: string][] = [
    ['STRASSE', 'strasse'],
    ['Ünïcödé', 'ünÏCÖDÉ'],
    ['cafe\u0301', 'caf\u00e9'],
    ['caf\u00e9', 'cafe\u0301'],
    ['ＡＢＣ１２３', 'abc123'],
    ['ﬁnd', 'FIND'],
    ['日本語の文', '日本'],
    ['这是一本关于园艺的书', '园艺'],
    ['東京大学で本を読む', '読む 大学'],
    ['ตลาดน้ำ', 'ตลาด'],
    ['iPhone手机', '手机 iphone'],
    ['a\u00a0b', 'b a'],
    ['x\u3000y', 'x\u3000y'],
    ['no_snake-case.txt', 'txt snake'],
    ['😀', '😀'],
    ['fine👍🏽work', '👍 work'],
    ['İstanbul', 'i\u0307stanbul'],
    ['½ ① ²', '1'],
  ];
  for (const [stored, query] of alike) {
    it(`takes ${JSON.stringify(stored)} and ${JSON.stringify(query)} for the same`, async () => {
      await add(
        { title: 'text', text: stored },
        { title: stored },
        { title: 'tag', tags: [stored] },
      );
      expect(await find(query)).to.have.members(['text', stored, 'tag']);
    });
  }

  it('distinguishes what differs in more than case, width and accents', async () => {
    await add({ text: 'a_b' }, { text: '(x) #tag', tags: ['label'] });
    for (const query of ['ab', '.', '[]', 'y%', '*', '#']) {
      expect(await find(query), query).to.deep.equal([]);
    }
  });

  it('ranks the title before the tags, those before the text, and whole words before others', async () => {
    await add(
      { title: '1', text: 'words' },
      { title: '2', text: 'word' },
      { title: '3', text: 'words words words words' },
      { title: '4', text: 'word word' },
      { title: '5', tags: ['words'] },
      { title: '6', tags: ['word', 'word word'] },
      { title: 'words' },
      { title: 'word' },
      { title: 'x' },
    );
    const ranked = ['word', 'words', '6', '5', '4', '3', '2', '1'];
    expect(await find('word')).to.deep.equal(ranked);
    await test.store.updateIndex();
    expect(await find('word')).to.deep.equal(ranked);
  });

  it('ranks by the words that are in the title, then newest first', async () => {
    await add(
      { title: '1: one two' },
      { title: '2: one', text: 'two' },
      { title: '3', text: 'one two' },
      { title: '4: one two' },
      { title: '5: one one one', text: 'two' },
      { title: '6', text: 'one two' },
    );
    const ranked = ['4: one two', '1: one two', '5: one one one', '2: one', '6', '3'];
    expect(await find('two one')).to.deep.equal(ranked);
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const { matches, total } = await test.store.notes.search('one two', { limit });
      expect(matches.map(({ note }) => note.title)).to.deep.equal(ranked.slice(0, limit));
      expect(total).to.equal(6);
    }
  });

  it('gives twenty matches unless asked otherwise, at most a hundred', async () => {
    for (let index = 0; index < MAX_MATCHES + 1; index += 1) await add({ title: `x ${index}` });
    const searchFor = async (limit: number) => await test.store.notes.search('x', { limit });
    expect((await test.store.notes.search('x')).matches).to.have.length(20);
    const { matches, total } = await searchFor(MAX_MATCHES);
    expect(matches).to.have.length(MAX_MATCHES);
    expect(matches[0]?.note.title).to.equal(`x ${MAX_MATCHES}`);
    expect(total).to.equal(MAX_MATCHES + 1);
    for (const limit of [0, -1, 1.5, Number.NaN, MAX_MATCHES + 1]) {
      expect(await codeOf(searchFor(limit))).to.equal('invalid-argument');
    }
  });

  it('keeps to the notes with a tag', async () => {
    await add({ title: 'a x', tags: ['t', 'u'] }, { title: 'b x', tags: ['T'] }, { title: 'c x' });
    expect(await find('x', { tag: 't' })).to.deep.equal(['a x']);
    expect((await test.store.notes.search('x', { tag: 't' })).total).to.equal(1);
    expect(await find('x', { tag: '' })).to.deep.equal([]);
    await test.store.updateIndex();
    expect(await find('x', { tag: 't' })).to.deep.equal(['a x']);
    for (const tag of ['', 'T ', 'tt']) expect(await find('x', { tag })).to.deep.equal([]);
    expect(await codeOf(find('x', { tag: 1 }))).to.equal('invalid-argument');
  });

  it('finds nothing for a query without words', async () => {
    await add({ title: 'a', text: 'b', tags: ['t'] });
    for (const query of ['', ' \t\n\u00a0', '!?', '\u0301']) {
      const found = await test.store.notes.search(query, { tag: 't' });
      expect(found).to.deep.equal({ matches: [], total: 0 });
    }
  });

  it('accepts the longest query and refuses one past it', async () => {
    const longest = 'x'.repeat(MAX_QUERY_LENGTH);
    await add({ title: 'found', text: `a ${longest}b` });
    expect(await find(longest)).to.deep.equal(['found']);
    expect(await codeOf(find(`${longest}x`))).to.equal('invalid-argument');
    expect(await codeOf(find(7 as never))).to.equal('invalid-argument');
  });

  it('considers the first different words and no more', async () => {
    const words = Array.from({ length: MAX_QUERY_WORDS }, (_, index) => `<word${index}x>`);
    await add(
      { title: 'all', text: words.join(' ') },
      { title: 'most', text: words.slice(1).join() },
    );
    expect(await find(words.join(' '))).to.deep.equal(['all']);
    expect(await find([...words.slice(1), ...words.slice(1), words[0]].join(' '))).to.deep.equal([
      'all',
    ]);
    expect(await find([...words, 'missing'].join(' '))).to.deep.equal(['all']);
  });

  describe('shows an excerpt', () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(400);

    it('around the first word that is found in the text, on one line', async () => {
      await add({ text: `${filler}\n\n  here is\tthe needle,\r\nand thread. ${filler}` });
      const excerpt = await excerptFor('thread NEEDLE');
      expect(excerpt).to.include(' here is the needle, and thread. lorem');
      expect(excerpt).to.have.lengthOf.within(180, 200);
      // The first in the text, whichever the query names first.
      expect(await excerptFor('needle thread')).to.equal(excerpt);
    });

    it('of the whole of a short text', async () => {
      await add({ text: '\n# Title\n\nand needle\n' });
      expect(await excerptFor('needle')).to.equal('# Title and needle');
    });

    it('of the first line when only title or tags have the words', async () => {
      await add({ title: 'needle', text: '# First\nsecond', tags: ['thread'] });
      expect(await excerptFor('needle')).to.equal('First');
      expect(await excerptFor('thread')).to.equal('First');
    });

    it('that cuts no character in two', async () => {
      const emoji = '😀'.repeat(100);
      for (const lead of ['', 'x']) {
        for (const needle of ['needle', 'needlex']) {
          await add({ text: `${lead}${emoji}${needle}${emoji}` });
        }
      }
      const { matches } = await test.store.notes.search('needle');
      expect(matches).to.have.length(4);
      for (const { excerpt } of matches) {
        expect(excerpt).to.match(/^(?:😀)+needlex?(?:😀)+$/u);
      }
    });

    const shifting: [what: string, text: string][] = [
      ['shorter', 'e\u0301'.repeat(5_000)],
      ['shorter, in words', 'e\u0301 '.repeat(5_000)],
      ['longer', 'ﬃ'.repeat(5_000)],
      ['much longer', '\ufdfa'.repeat(5_000)],
    ];
    for (const [what, text] of shifting) {
      it(`from the right place where folding makes the text ${what}`, async () => {
        await add({ text: `${text} the ﬁne needle ${text}` });
        expect(await excerptFor('fine')).to.include(' the ﬁne needle ');
        expect(await excerptFor('needle')).to.include(' the ﬁne needle ');
      });
    }
  });

  describe('in many batches, before the index knows them', () => {
    // In one transaction: the index is not brought up to date before a while has passed.
    const addAtOnce = async (count: number, noteOf: (index: number) => NewNote): Promise<void> => {
      await test.store.notes.createAll(Array.from({ length: count }, (_, index) => noteOf(index)));
    };
    const reportsOf = async (options = {}) => {
      const reports: [done: number, total: number][] = [];
      const onProgress = (done: number, total: number) => reports.push([done, total]);
      const result = await test.store.notes.search('needle', { onProgress, ...options });
      return { reports, result };
    };

    it('finds the first, the last and all between, and reports how far it is', async () => {
      await addAtOnce(450, (index) => ({
        title: `${index}`,
        text: index % 10 === 0 || index === 449 ? `needle ${index}` : 'hay',
      }));
      const { reports, result } = await reportsOf({ limit: 100 });
      const expected = ['449', ...Array.from({ length: 45 }, (_, index) => `${440 - index * 10}`)];
      expect(result.matches.map(({ note }) => note.title)).to.deep.equal(expected);
      expect(result.total).to.equal(46);
      expect(reports).to.deep.equal([
        [200, 450],
        [450, 450],
      ]);
    });

    it('keeps few large texts in memory at a time', async () => {
      const hay = 'hay '.repeat((3 * 1024 * 1024) / 4);
      await add({ title: '1', text: `needle ${hay}` }, { title: '2', text: `${hay} needle` });
      await add({ title: '3', text: hay }, { title: '4 needle', text: hay.slice(0, 1_000_000) });
      const { reports, result } = await reportsOf();
      expect(result.matches.map(({ note }) => note.title)).to.deep.equal(['4 needle', '2', '1']);
      expect(reports.map(([done]) => done)).to.deep.equal([1, 2, 4]);
    });

    it('reports that all is searched, once, where the index knows it all', async () => {
      await add({ title: 'needle' }, { title: 'hay' });
      await test.store.updateIndex();
      expect((await reportsOf()).reports).to.deep.equal([[2, 2]]);
    });

    it('counts a batch without the tag, too', async () => {
      await add({ title: 'needle', tags: ['t'] });
      await addAtOnce(300, () => ({ title: 'needle', text: '' }));
      const { reports, result } = await reportsOf({ tag: 't' });
      expect(result.total).to.equal(1);
      expect(reports).to.deep.equal([
        [200, 301],
        [301, 301],
      ]);
    });

    it('never goes back and ends at the total when notes come and go during the search', async () => {
      await addAtOnce(401, (index) => ({ title: `needle ${index}`, text: '' }));
      const { notes } = await test.store.notes.list({ limit: 401 });
      const reports: [number, number][] = [];
      const pending: Promise<unknown>[] = [];
      const { total } = await test.store.notes.search('needle', {
        onProgress(done, of) {
          reports.push([done, of]);
          if (reports.length > 1) return;
          pending.push(...notes.slice(390).map(({ id }) => test.store.notes.delete(id)));
          pending.push(test.store.notes.create({ title: 'a new needle', text: '' }));
        },
      });
      await Promise.all(pending);
      const done = reports.map(([count]) => count);
      expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
      expect(reports.at(-1)).to.deep.equal([401, 401]);
      expect(total).to.be.within(390, 401);
    });

    it('reports nothing of no notes, and nothing of a blank query', async () => {
      const reports: unknown[] = [];
      const onProgress = (...progress: number[]) => reports.push(progress);
      await test.store.notes.search('needle', { onProgress });
      await add({});
      await test.store.notes.search('', { onProgress });
      expect(reports).to.deep.equal([]);
    });

    it('ends between two of them with the reason of its signal', async () => {
      await addAtOnce(401, (index) => ({ title: `needle ${index}`, text: '' }));
      const reason = new Error('enough');
      const controller = new AbortController();
      const done: number[] = [];
      const search = test.store.notes.search('needle', {
        signal: controller.signal,
        onProgress(count) {
          done.push(count);
          controller.abort(reason);
        },
      });
      expect(await failureOf(search)).to.equal(reason);
      expect(done).to.deep.equal([200]);
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(test.store.notes.search('needle', { signal }))).to.equal(reason);
      expect(await failureOf(test.store.notes.search('', { signal }))).to.equal(reason);
    });
  });

  itInAll('takes linear time, whatever a text is made of', async () => {
    // Sorting such marks, as normalising does, is quadratic: all of them at once would take many minutes.
    const SIZE = MAX_TEXT_BYTES / 4;
    for (const pattern of ['\u0301\u0316', '\ufdfa', 'ab', ' ', '\ud83d']) {
      const bytes = new TextEncoder().encode(pattern).length;
      const text = `needle ${pattern.repeat(Math.floor(SIZE / bytes))}`;
      await add({ title: 'large', text });
    }
    const least = await leastTime(15_000, async () => {
      expect((await test.store.notes.search('needle ')).total).to.equal(5);
    });
    // Far from minutes, on the slowest machine, too: WebKit has taken 5 s on one.
    expect(least).to.be.below(15_000);
  });
});
