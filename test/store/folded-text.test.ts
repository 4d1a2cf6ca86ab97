import { expect } from '@esm-bundle/chai';
// The file is internal to the package: where it cuts a text shows only in rare searches.
import { fold, positionBeforeFolding } from '../../packages/store/src/records/folded-text.js';

const words: [what: string, word: string][] = [
  ['plain', 'Word'],
  ['composed', 'caf\u00e9'],
  ['decomposed', 'cafe\u0301'],
  ['with many marks', 'o\u0302\u0323\u0301'],
  ['ligature', 'o\ufb03ce'],
  ['kana with a mark', '\u304b\u3099'],
  ['jamo', '\u1112\u1161\u11ab'],
  ['sigma at its end', '\u03bb\u03cc\u03b3\u03bf\u03a3'],
  ['sharp s', 'stra\u00dfe'],
  ['surrogate pair', '\ud83d\ude00'],
];

/** The same by the definition, in one piece. */
function foldedWhole(text: string): string {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '');
  return letters.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

describe('the folded form of a text', () => {
  for (const [what, word] of words) {
    it(`is that of the whole, wherever a word stands (${what})`, () => {
      for (let lead = 480; lead < 520; lead += 1) {
        const text = `${'x'.repeat(200)} ${'y'.repeat(lead - 201)} ${word} ${'é'.repeat(600)}`;
        expect(fold(text), `after ${lead}`).to.equal(foldedWhole(text));
      }
    });
  }

  for (const [what, word] of words.filter(([name]) => name !== 'jamo' && !name.includes('sigma'))) {
    it(`cuts no character in two where there is no white space (${what})`, () => {
      for (let lead = 480; lead < 520; lead += 1) {
        const text = `${'あ'.repeat(lead)}${word}${'あ'.repeat(600)}`;
        expect(fold(text), `after ${lead}`).to.equal(foldedWhole(text));
      }
    });
  }

  it('leads back to the position in the text', () => {
    for (const filler of ['x', 'é', 'e\u0301', 'ß', '\ufb03', '\ufb03 ', '\ufdfa']) {
      for (const count of [0, 1, 99, 500, 501, 3_000]) {
        const text = `${filler.repeat(count)}<${filler.repeat(10)}`;
        const position = positionBeforeFolding(text, fold(text).indexOf('<'));
        expect(position, `${filler} ${count}`).to.equal(text.indexOf('<'));
      }
    }
    expect(positionBeforeFolding('é', 1)).to.equal(1);
    expect(positionBeforeFolding('éß', 2)).to.equal(1);
    expect(positionBeforeFolding('éß', 3)).to.equal(2);
  });
});
