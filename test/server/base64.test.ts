import { expect } from '@esm-bundle/chai';
import { toBase64, toBase64ByPieces } from '../../packages/server/src/resources/contents/base64.js';

describe('base64', () => {
  for (const length of [0, 1, 2, 3, 0x6000 - 1, 0x6000, 0x6000 + 1, 100_000]) {
    it(`encodes ${length} bytes the same way natively and by pieces`, () => {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) % 256);
      const expected = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      expect(toBase64(bytes)).to.equal(expected);
      expect(toBase64ByPieces(bytes)).to.equal(expected);
    });
  }
});
