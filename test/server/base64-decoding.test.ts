import { expect } from '@esm-bundle/chai';
import {
  base64Size,
  bytesByAtob,
  decodeBase64,
  isBase64,
} from '../../packages/server/src/resources/contents/base64.js';
import { failureOf } from '../support/failure.js';

const never = new AbortController().signal;

describe('base64 of a content', () => {
  for (const length of [0, 1, 2, 3, 4, 5, 255, 256, 1_000]) {
    it(`gives ${length} bytes back, natively and without`, async () => {
      const bytes = Array.from({ length }, (_, index) => (index * 31) % 256);
      const base64 = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
      expect(isBase64(base64)).to.be.true;
      expect(base64Size(base64)).to.equal(length);
      const blob = await decodeBase64(base64, never, () => undefined);
      expect([...new Uint8Array(await blob.arrayBuffer())]).to.deep.equal(bytes);
      expect([...bytesByAtob(base64)]).to.deep.equal(bytes);
    });
  }

  it('has one spelling', () => {
    for (const text of [
      'A',
      'AB',
      'ABC',
      'AB=',
      'AA=A',
      'AB==',
      'AAB=',
      ' AAAA',
      'AAA\n',
      'AA_-',
    ]) {
      expect(isBase64(text), text).to.be.false;
    }
    expect(['', 'AAAA', 'AA==', 'AAA=', 'Ab+/'].every(isBase64)).to.be.true;
  });

  it('is given up between two pieces', async () => {
    const abort = new AbortController();
    const progress: number[] = [];
    const decoding = decodeBase64('A'.repeat(12 * 1024 * 1024), abort.signal, (done) => {
      progress.push(done);
      abort.abort(new Error('enough'));
    });
    expect(await failureOf(decoding)).to.have.property('message', 'enough');
    expect(progress).to.deep.equal([3 * 1024 * 1024]);
  });
});
