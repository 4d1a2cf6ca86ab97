import { expect } from '@esm-bundle/chai';
import {
  formatAge,
  formatError,
  formatSize,
} from '../../packages/elements/src/base/text/format.js';
import { typeInWords } from '../../packages/elements/src/base/text/type-words.js';

describe('what people read', () => {
  const OFFICE = 'application/vnd.openxmlformats-officedocument';
  const types: [type: string, words: string][] = [
    [`${OFFICE}.wordprocessingml.document`, 'Word document'],
    ['application/msword', 'Word document'],
    ['application/vnd.oasis.opendocument.text', 'Document'],
    [`${OFFICE}.spreadsheetml.sheet`, 'Spreadsheet'],
    ['application/vnd.ms-excel', 'Spreadsheet'],
    [`${OFFICE}.presentationml.presentation`, 'Presentation'],
    ['application/vnd.oasis.opendocument.presentation', 'Presentation'],
    ['application/epub+zip', 'Book'],
    ['application/x-7z-compressed', 'Archive'],
    ['application/zip', 'ZIP'],
    ['text/rtf', 'RTF'],
    ['text/markdown', 'Text'],
    ['application/x-unheard-of', 'application/x-unheard-of'],
  ];
  for (const [type, words] of types)
    it(`calls ${type} ${words}`, () => expect(typeInWords('file:///a', type)).to.equal(words));

  const sizes: [bytes: number, text: string][] = [
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [9_940, '9.9 kB'],
    [9_960, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [1_400_000, '1.4 MB'],
    [3.1e9, '3.1 GB'],
    [5e15, '5,000 TB'],
  ];
  for (const [bytes, text] of sizes) {
    it(`says ${text} for ${bytes} bytes`, () => {
      expect(formatSize(bytes)).to.equal(text);
    });
  }

  it('says how long ago something was', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
    expect(formatAge('2026-11-20T11:59:30Z', now)).to.equal(format.format(0, 'second'));
    expect(formatAge('2026-11-20T11:55:00Z', now)).to.equal(format.format(-5, 'minute'));
    expect(formatAge('2026-11-19T11:00:00Z', now)).to.equal(format.format(-1, 'day'));
    expect(formatAge('2024-11-19T11:00:00Z', now)).to.equal(format.format(-2, 'year'));
    // With a clock that is wrong by millennia, what was just written is new.
    const late = Date.UTC(10_889, 0);
    expect(formatAge('9999-12-31T23:59:59.999Z', late)).to.equal(format.format(0, 'second'));
    expect(formatAge('2026-11-20T12:05:00Z', now)).to.equal(format.format(0, 'second'));
    expect(formatAge('nonsense', now)).to.equal('');
  });

  it('has words for every error', () => {
    expect(formatError(new Error('This one.'))).to.equal('This one.');
    for (const other of [new Error(''), 'text', undefined, null, 5]) {
      expect(formatError(other)).to.equal('Something went wrong.');
    }
  });
});
