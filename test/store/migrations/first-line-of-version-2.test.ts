import { expect } from '@esm-bundle/chai';
// Internal to the package. What is expected here never changes: databases hold it.
import { firstLineOfVersion2 } from '../../../packages/store/src/schema/migrations/first-line-of-version-2.js';

describe('the first line that version 2 stored', () => {
  const lines: [text: string, firstLine: string][] = [
    ['', ''],
    [' \t\r\n\u00a0\n', ''],
    ['\n\n \t one \t\r\ntwo', 'one'],
    ['one\u2028two', 'one'],
    ['> 1. - # deep', 'deep'],
    ['---\n***\n#\n\nafter the rules', 'after the rules'],
    ['3.14 is no list', '3.14 is no list'],
    ['1234567890. too long for a list', '1234567890. too long for a list'],
    ['x'.repeat(201), 'x'.repeat(200)],
    [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
    [`${'x'.repeat(198)}😀`, `${'x'.repeat(198)}😀`],
  ];
  for (const [text, firstLine] of lines) {
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(firstLine)}`, () => {
      expect(firstLineOfVersion2(text)).to.equal(firstLine);
    });
  }
});
