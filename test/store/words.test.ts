import { expect } from '@esm-bundle/chai';
import { wordsIn } from '../../packages/store/src/search/words/words.js';

describe('the words of a text', () => {
  for (const word of ['日本', '東京', '園芸', 'ตลาด', 'ຕະຫຼາດ', 'ផ្សារ', 'စျေး']) {
    it(`hold ${word}, also where it stands alone`, () => {
      expect(wordsIn(word)).not.to.deep.equal([]);
      expect(wordsIn(word).join('')).to.equal(word);
      expect(wordsIn(`see: ${word}, again`)).to.deep.equal(['see', ...wordsIn(word), 'again']);
    });
  }

  it('are those of a dictionary where there are no spaces', () => {
    const words = wordsIn('我们在图书馆里读书。');
    expect(words.join('')).to.equal('我们在图书馆里读书');
    // Each browser has a dictionary of its own.
    expect(words).to.include.members(['我们', '在']);
  });
});
