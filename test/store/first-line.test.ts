import { expect } from '@esm-bundle/chai';
// The file is internal to the package: its speed shows only without a database around it.
import { firstLineOf, MAX_FIRST_LINE_LENGTH } from '../../packages/store/src/records/first-line.js';
import { MAX_TEXT_BYTES } from '@inpage-mcp/store';
import { leastTime } from '../support/slowness.js';

describe('the first line of a text', () => {
  const lines: [text: string, firstLine: string][] = [
    ['', ''],
    [' \t\r\n\u00a0\n', ''],
    ['one\ntwo', 'one'],
    ['\n\n \t one \t\r\ntwo', 'one'],
    ['one\u2028two', 'one'],
    ['# Title', 'Title'],
    ['###Title ##', 'Title ##'],
    ['> > quoted', 'quoted'],
    ['- item', 'item'],
    ['* item', 'item'],
    ['12. item', 'item'],
    ['> 1. - # deep', 'deep'],
    ['---\n***\n#\n\nafter the rules', 'after the rules'],
    ['3.14 is no list', '3.14 is no list'],
    ['1984', '1984'],
    ['1234567890. too long for a list', '1234567890. too long for a list'],
    ['a # b > c - d * e', 'a # b > c - d * e'],
    ['日本語\nの', '日本語'],
  ];
  for (const [text, firstLine] of lines) {
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(firstLine)}`, () => {
      expect(firstLineOf(text)).to.equal(firstLine);
    });
  }

  it('is cut at its limit, and not inside a character', () => {
    const atLimit = 'x'.repeat(MAX_FIRST_LINE_LENGTH);
    expect(firstLineOf(atLimit)).to.equal(atLimit);
    expect(firstLineOf(`${atLimit}y`)).to.equal(atLimit);
    const before = 'x'.repeat(MAX_FIRST_LINE_LENGTH - 1);
    expect(firstLineOf(`${before}😀`)).to.equal(before);
    expect(firstLineOf(`${before.slice(1)}😀y`)).to.equal(`${before.slice(1)}😀`);
  });

  it('takes linear time, whatever the text is made of', async () => {
    const patterns = [' ', '\n', '#', '1. ', '1', '- 1. > ', '-\n', '\ud83d', 'x'];
    for (const pattern of patterns) {
      const text = pattern.repeat(Math.floor(MAX_TEXT_BYTES / pattern.length));
      // Several times what the slowest takes; a quadratic one would take hours.
      const least = await leastTime(3_000, () => firstLineOf(text));
      expect(least, JSON.stringify(pattern)).to.be.below(3_000);
    }
  });
});
