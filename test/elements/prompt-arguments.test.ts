import { expect } from '@esm-bundle/chai';
// Internal: what is filled in for a prompt is a matter of many cases.
import { PromptArguments } from '../../packages/elements/src/choose/mcp-prompt-menu/prompt-arguments.js';

const GREET = {
  name: 'greet',
  arguments: [
    { name: 'who', title: ' Who ', required: true },
    { name: 'tone', title: ' ' },
  ],
};

describe('the arguments of a prompt', () => {
  it('are fields with their titles, or else with their names', () => {
    const { fields } = new PromptArguments(GREET);
    expect(fields.map(({ label }) => label)).to.deep.equal(['Who', 'tone']);
    expect(fields.map(({ isRequired }) => isRequired)).to.deep.equal([true, false]);
  });

  it('are missing if they are required and have nothing but spaces', () => {
    const filled = new PromptArguments(GREET);
    filled.set('who', '  ');
    expect(filled.missing).to.deep.equal(['who']);
    filled.set('who', ' a');
    expect(filled.missing).to.deep.equal([]);
  });

  it('are sent if they are filled in and the prompt has them', () => {
    const filled = new PromptArguments(GREET, { who: 'Ada', tone: '', gone: 'x' });
    expect(filled.filledIn).to.deep.equal({ who: 'Ada' });
    expect(filled.values).to.deep.equal({ who: 'Ada', tone: '', gone: 'x' });
  });

  it('have no values of every object', () => {
    const odd = { name: 'odd', arguments: [{ name: 'toString' }, { name: '__proto__' }] };
    const filled = new PromptArguments(odd);
    expect(filled.filledIn).to.deep.equal({});
    filled.set('toString', '1');
    expect(filled.filledIn).to.deep.equal({ toString: '1' });
  });

  it('are the same where the same is filled in', () => {
    const before = new PromptArguments(GREET, { who: 'Ada' });
    const { arguments: all } = GREET;
    expect(new PromptArguments(GREET, { who: 'Ada', gone: 'x' }).hasSameValues(before)).to.equal(
      true,
    );
    expect(new PromptArguments(GREET, { who: 'Bob' }).hasSameValues(before)).to.equal(false);
    const fewer = { ...GREET, arguments: all.slice(1) };
    expect(new PromptArguments(fewer, before.values).hasSameValues(before)).to.equal(false);
  });

  it('are at most 100', () => {
    const countOf = (length: number): number => {
      const all = Array.from({ length }, (_, index) => ({ name: `a${index}` }));
      return new PromptArguments({ name: 'many', arguments: all }).fields.length;
    };
    expect([100, 101].map(countOf)).to.deep.equal([100, 100]);
  });
});
