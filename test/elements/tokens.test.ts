import { expect } from '@esm-bundle/chai';
import { tokensOfResource, tokensOfText } from '../../packages/elements/src/base/text/tokens.js';

describe('the estimate of tokens', () => {
  it('counts a token for each four bytes of a text', () => {
    for (const mimeType of ['text/markdown', 'application/json', 'image/svg+xml', undefined])
      expect(tokensOfResource({ mimeType, size: 401 })).to.equal(101);
  });

  it('counts the same for each image, even if its size is unknown', () => {
    expect(tokensOfResource({ mimeType: 'image/png' })).to.equal(1_600);
  });

  it('counts other bytes as base64', () => {
    expect(tokensOfResource({ mimeType: 'application/pdf', size: 300 })).to.equal(200);
  });

  it('knows nothing without a size that is one', () => {
    for (const size of [undefined, -1, NaN, Infinity, '12', null])
      expect(tokensOfResource({ mimeType: 'text/plain', size: size as never })).to.equal(undefined);
    expect(tokensOfResource({ mimeType: 7 as never, size: 8 })).to.equal(2);
  });

  it('counts four letters, or one Chinese character, as a token', () => {
    expect(tokensOfText('')).to.equal(0);
    expect(tokensOfText('abcdefgh')).to.equal(2);
    expect(tokensOfText('日本語')).to.equal(3);
    expect(tokensOfText('a'.repeat(4_000_000))).to.equal(1_000_000);
  });
});
