import { expect } from '@esm-bundle/chai';
import { excerptOf } from '../../packages/store/src/search/words/excerpt.js';
import { SegmentBuilder } from '../../packages/store/src/search/segments/segment-builder.js';
import { Yielder } from '../../packages/store/src/search/words/yielder.js';
import { sortWithYields } from '../../packages/store/src/search/segments/sorted-keys.js';
import { termsOf } from '../../packages/store/src/search/words/terms.js';
import { weigh } from '../../packages/store/src/search/words/weights.js';

/** A yielder that is always due, so that the count does not depend on the speed of the machine. */
class CountedYielder extends Yielder {
  turns = 0;

  override get isDue(): boolean {
    return true;
  }

  override async yield(): Promise<void> {
    this.turns += 1;
  }
}

const WORDS = 40_000;
/** The most that is done with so many words in one turn. */
const WORDS_PER_TURN = 5_000;

const words = Array.from({ length: WORDS }, (_, index) => `word${(index * 7_919) % WORDS}`);
const text = words.join(' ');

describe('what searching and indexing do with many different words', () => {
  let yielder: CountedYielder;

  beforeEach(() => {
    yielder = new CountedYielder('background');
  });

  function expectTurns(times = 1): void {
    expect(yielder.turns).to.be.at.least((times * WORDS) / WORDS_PER_TURN);
    yielder.turns = 0;
  }

  it('leaves the thread to others while they are taken out of a text', async () => {
    expect((await weigh({ title: '', tags: [] }, text, yielder)).size).to.equal(WORDS);
    // Once for finding and once for weighing them.
    expect(yielder.turns).to.be.at.least(text.length / 20_000 + WORDS / WORDS_PER_TURN);
  });

  it('leaves the thread to others while they are added to a segment, and written', async () => {
    const weights = new Map(words.map((word) => [word, 1]));
    const builder = new SegmentBuilder();
    await builder.add('a', weights, 1, yielder);
    expectTurns();
    const { blocks } = await builder.finish(yielder);
    expectTurns();
    expect(blocks.flatMap((block) => block.words)).to.deep.equal(words.toSorted());
  });

  it('leaves the thread to others while they are sorted', async () => {
    expect(await sortWithYields(words, yielder)).to.deep.equal(words.toSorted());
    expectTurns(2);
    expect(await sortWithYields([], yielder)).to.deep.equal([]);
    expect(await sortWithYields(words.slice(0, 5_000), yielder)).to.deep.equal(
      words.slice(0, 5_000).toSorted(),
    );
  });

  it('leaves the thread to others while a text is looked through for its excerpt', async () => {
    expect(await excerptOf(`${text} needle`, termsOf('needle'), yielder)).to.match(/needle$/);
    expect(yielder.turns).to.be.at.least(text.length / 20_000 - 1);
  });

  it('looks no further than the first million for an excerpt, and only to the first word', async () => {
    const hay = 'hay '.repeat(300_000);
    expect(await excerptOf(`${hay}needle`, termsOf('needle'), yielder)).to.equal(undefined);
    expect(yielder.turns).to.be.below(100);
    yielder.turns = 0;
    expect(await excerptOf(`needle ${hay}`, termsOf('needle hay'), yielder)).to.match(
      /^needle hay/,
    );
    expect(yielder.turns).to.equal(0);
  });
});
