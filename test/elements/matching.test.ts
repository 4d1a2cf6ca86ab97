import { expect } from '@esm-bundle/chai';
import { matchesIn } from '../../packages/elements/src/base/text/matching.js';

describe('the matches of a typed text', () => {
  const names = (typed: string, entries: { name: unknown }[]): unknown[] =>
    matchesIn(entries, typed, ({ name }) => [name]).map(({ name }) => name);

  it('contain all words in any order, whatever their case and width', () => {
    const entries = [{ name: 'Plan for Autumn' }, { name: 'ＰＬＡＮ autumn' }, { name: 'Plan' }];
    expect(names('autumn PLAN', entries)).to.deep.equal(['Plan for Autumn', 'ＰＬＡＮ autumn']);
  });

  it('contain words with accents that were typed without', () => {
    const entries = [{ name: 'Café Straße' }, { name: 'Cave' }];
    expect(names('strasse cafe', entries)).to.deep.equal(['Café Straße']);
  });

  it('begin with those that begin with the text', () => {
    const entries = [{ name: 'A note' }, { name: 'Note' }, { name: 'Banknote' }];
    expect(names('note', entries)).to.deep.equal(['Note', 'A note', 'Banknote']);
  });

  it('are all entries if nothing is typed', () => {
    const entries = [{ name: 'b' }, { name: 'a' }];
    expect(matchesIn(entries, '  ', ({ name }) => [name])).to.equal(entries);
  });

  it('are found in what is a text', () => {
    const entries = [{ name: null }, { name: 7 }, { name: 'Seven' }];
    expect(names('seven', entries)).to.deep.equal(['Seven']);
  });
});
