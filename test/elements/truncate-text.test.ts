import '@inpage-mcp/elements/all';
import { truncateText } from '@inpage-mcp/elements';
import { expect } from '@esm-bundle/chai';

describe('truncateText', () => {
  it('leaves a text as it is up to the greatest length', () => {
    expect(truncateText('')).to.equal('');
    expect(truncateText('a'.repeat(200))).to.equal('a'.repeat(200));
    expect(truncateText('abc', 3)).to.equal('abc');
  });

  it('ends a longer one in an ellipsis', () => {
    expect(truncateText('a'.repeat(201))).to.equal(`${'a'.repeat(200)}…`);
    expect(truncateText('abcd', 3)).to.equal('abc…');
  });

  it('cuts no character in two', () => {
    expect(truncateText('ab😀cd', 3)).to.equal('ab…');
    expect(truncateText('ab😀cd', 4)).to.equal('ab😀…');
  });

  it('leaves texts of several scripts as they are', () => {
    const titles = [
      'Привет, iPhone и Android 📱',
      '東京タワー Tokyo Tower 🗼🗼',
      'سلام hello سلام hello',
    ];
    for (const title of titles) expect(truncateText(title)).to.equal(title);
  });

  it('cuts a text that changes its script with every character sooner', () => {
    const cut = truncateText('aא'.repeat(500));
    expect(cut).to.match(/^(aא)+a?…$/);
    expect(cut.length).to.be.within(20, 30);
  });

  it('looks at no more of a text than it shows', () => {
    expect(truncateText('a'.repeat(50_000_000))).to.have.length(201);
  });
});
