import { expect } from '@esm-bundle/chai';
// Internal: which texts count as filled in is a matter of many cases.
import { missingIn, textIn } from '../../packages/elements/src/fields/options/completed-fields.js';
import { usableArguments } from '../../packages/elements/src/reading/gate.js';

describe('the arguments of a prompt', () => {
  it('are missing if they are required and have nothing but spaces', () => {
    const fields = [
      { name: 'who', label: 'Who', isRequired: true },
      { name: 'tone', label: 'Tone' },
    ];
    expect(missingIn(fields, {})).to.deep.equal(['who']);
    expect(missingIn(fields, { who: '  ' })).to.deep.equal(['who']);
    expect(missingIn(fields, { who: ' a' })).to.deep.equal([]);
  });

  it('have no values of every object', () => {
    expect(['toString', '__proto__'].map((name) => textIn({}, name))).to.deep.equal(['', '']);
  });

  it('are at most 100', () => {
    const countOf = (length: number): number => {
      const all = Array.from({ length }, (_, index) => ({ name: `a${index}` }));
      return usableArguments({ name: 'many', arguments: all }).length;
    };
    expect([100, 101].map(countOf)).to.deep.equal([100, 100]);
  });
});
