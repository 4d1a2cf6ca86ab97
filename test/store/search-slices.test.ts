import { expect } from '@esm-bundle/chai';
import { excerptOf } from '../../packages/store/src/search/words/excerpt.js';
import { SegmentBuilder } from '../../packages/store/src/search/segments/segment-builder.js';
import { Slices } from '../../packages/store/src/search/words/slices.js';
import { sortedInSlices } from '../../packages/store/src/search/segments/sorted-keys.js';
import { termsOf } from '../../packages/store/src/search/words/terms.js';
import { weigh } from '../../packages/store/src/search/words/weights.js';

/** Slices that are over as soon as they begin: each turn is counted, however fast the machine is. */
class CountedSlices extends Slices {
  turns = 0;

  override get isOver(): boolean {
    return true;
  }

  override async next(): Promise<void> {
    this.turns += 1;
  }
}

const WORDS = 40_000;
/** The most that is done with so many words in one turn. */
const WORDS_PER_TURN = 5_000;

const words = Array.from({ length: WORDS }, (_, index) => `word${(index * 7_919) % WORDS}`);
const fields = { title: '', tags: [], labels: [], text: words.join(' ') };

describe('what searching and indexing do with many different words', () => {
  let slices: CountedSlices;

  beforeEach(() => {
    slices = new CountedSlices('background');
  });

  function expectTurns(times = 1): void {
    expect(slices.turns).to.be.at.least((times * WORDS) / WORDS_PER_TURN);
    slices.turns = 0;
  }

  it('leaves the thread to others while they are taken out of a text', async () => {
    expect((await weigh(fields, slices)).size).to.equal(WORDS);
    // Once for finding and once for weighing them.
    expect(slices.turns).to.be.at.least(fields.text.length / 20_000 + WORDS / WORDS_PER_TURN);
  });

  it('leaves the thread to others while they are added to a segment, and written', async () => {
    const weights = new Map(words.map((word) => [word, 1]));
    const builder = new SegmentBuilder('note');
    await builder.add('a', weights, 1, slices);
    expectTurns();
    const { blocks } = await builder.finish(slices);
    expectTurns();
    expect(blocks.flatMap((block) => block.words)).to.deep.equal(words.toSorted());
  });

  it('leaves the thread to others while they are sorted', async () => {
    expect(await sortedInSlices(words, slices)).to.deep.equal(words.toSorted());
    expectTurns(2);
    expect(await sortedInSlices([], slices)).to.deep.equal([]);
    expect(await sortedInSlices(words.slice(0, 5_000), slices)).to.deep.equal(
      words.slice(0, 5_000).toSorted(),
    );
  });

  it('leaves the thread to others while a text is looked through for its excerpt', async () => {
    expect(await excerptOf(`${fields.text} needle`, termsOf('needle'), slices)).to.match(/needle$/);
    expect(slices.turns).to.be.at.least(fields.text.length / 20_000 - 1);
  });

  it('looks no further than the first million for an excerpt, and only to the first word', async () => {
    const hay = 'hay '.repeat(300_000);
    expect(await excerptOf(`${hay}needle`, termsOf('needle'), slices)).to.equal(undefined);
    expect(slices.turns).to.be.below(100);
    slices.turns = 0;
    expect(await excerptOf(`needle ${hay}`, termsOf('needle hay'), slices)).to.match(/^needle hay/);
    expect(slices.turns).to.equal(0);
  });
});
