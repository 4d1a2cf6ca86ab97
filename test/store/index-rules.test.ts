import { expect } from '@esm-bundle/chai';
import type { SearchSegment } from '../../packages/store/src/schema/schema.js';
import { SegmentBuilder } from '../../packages/store/src/search/segments/segment-builder.js';
import { RULES } from '../../packages/store/src/search/words/segmentation.js';
import { weigh } from '../../packages/store/src/search/words/weights.js';
import { Yielder } from '../../packages/store/src/search/words/yielder.js';
import { readRecords } from '../support/database.js';
import type { OtherTabCall } from './other-rules.worker.js';
import { useStore } from './store-under-test.js';

describe('the search index of two tabs with other rules', () => {
  const test = useStore();
  let worker: Worker;

  const other = (call: OtherTabCall): Promise<unknown> => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    worker.postMessage(call, [port2]);
    return answer;
  };
  const here = async (query: string): Promise<string[]> => {
    const { matches } = await test.store.notes.search(query, { limit: 100 });
    return matches.map(({ note }) => note.title).toSorted();
  };
  const create = (title: string) => test.store.notes.create({ title, text: '' });
  const segments = async () => (await readRecords(test.name, 'search-segments')) as SearchSegment[];
  /** How many segments each of the rules has built. */
  const countRules = async (): Promise<number> =>
    new Set((await segments()).map(({ segmentation }) => segmentation)).size;

  beforeEach(async () => {
    worker = new Worker(new URL('./other-rules.worker.js', import.meta.url), { type: 'module' });
    await other({ open: test.name });
  });

  afterEach(() => worker.terminate());

  it('is right in both at every moment, whichever has built it, and is never reset', async () => {
    // Only the rules of this tab tell them apart.
    await create('京都 0');
    await create('都京 0');
    const titles = ['京都 0'];
    const expectRight = async (): Promise<void> => {
      for (let time = 0; time < 3; time += 1) {
        const found = await Promise.all([here('京都'), other({ search: '京都' })]);
        expect(found).to.deep.equal([titles, [...titles, '都京 0'].toSorted()]);
      }
    };
    await expectRight();
    await test.store.updateIndex();
    const [first] = await segments();
    await expectRight();
    expect(await segments()).to.deep.equal([first]);
    for (let round = 1; round < 7; round += 1) {
      titles.push(`京都 ${round}`);
      if (round % 2 === 1) await other({ title: `京都 ${round}` });
      else await create(`京都 ${round}`);
      await expectRight();
      if (round % 3 === 0) await test.store.updateIndex();
      else await other('update');
      await expectRight();
    }
    expect(await countRules()).to.equal(2);
  });

  it('belongs to the tab that was opened last, so that no two rebuild it in turn', async () => {
    await create('京都');
    await test.store.updateIndex();
    const [before] = await segments();
    await other('update');
    const [taken] = await segments();
    expect(taken?.keys).to.deep.equal(before?.keys);
    expect(taken?.segmentation).not.to.equal(before?.segmentation);
    await test.store.updateIndex();
    await other('update');
    expect(await segments()).to.deep.equal([taken]);
    await test.reopen();
    await test.store.updateIndex();
    expect(await segments()).to.deep.equal([before]);
  });

  it('forgets what was changed or deleted here in a segment of the other', async () => {
    const { id } = await create('京都 before');
    const gone = await create('京都 gone');
    await create('京都 kept');
    await other('update');
    await test.store.notes.update(id, { title: '京都 after' });
    await test.store.notes.delete(gone.id);
    for (let state = 0; state < 2; state += 1) {
      expect(await here('京都')).to.deep.equal(['京都 after', '京都 kept']);
      expect(await other({ search: '京都' })).to.deep.equal(['京都 after', '京都 kept']);
      await test.store.updateIndex();
    }
  });
});

describe('the rules of the search index', () => {
  it('have another name after every change of what they make of a note', async () => {
    const builder = new SegmentBuilder();
    const yielder = new Yielder('background', undefined);
    const texts = [
      `Straße, naïve Café ½ x²! ﬁn  İstanbul don't 1.5 a_b ${'long'.repeat(30)} 😀👍🏽`,
      'Ünïcödé и ёлка ά שָׁלוֹם مُحَمَّد हिन्दी 한국어\n\n- [ ] `code` #tag '.repeat(40),
      `${'y'.repeat(20_000)} ${'word '.repeat(5_000)}`,
    ];
    for (const [index, text] of texts.entries()) {
      const note = { title: `Title ${index} of x`, tags: ['Red', 'two words'] };
      await builder.add(`id${index}`, await weigh(note, text, yielder), text.length, yielder);
    }
    const { segment, blocks } = await builder.finish(yielder);
    const { segmentation: _, ...fields } = segment;
    const parts = JSON.stringify([
      fields,
      blocks.map(({ words, starts, postings }) => [words, [...starts], [...postings]]),
    ]);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(parts));
    // If this fails, segments of the last version would be taken for ours: change RULES, then this.
    expect({ RULES, digest: new Uint8Array(digest).slice(0, 8).join(' ') }).to.deep.equal({
      RULES: 'accents',
      digest: '248 52 17 19 67 9 221 26',
    });
  });
});
