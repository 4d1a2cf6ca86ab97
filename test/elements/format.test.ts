import { expect } from '@esm-bundle/chai';
import {
  formatAge,
  formatError,
  formatSize,
} from '../../packages/elements/src/base/text/format.js';

describe('what people read', () => {
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
