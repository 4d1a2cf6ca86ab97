import { expect, fixture, html } from '@open-wc/testing';
import '../support/elements.js';
import { failureOf } from '../support/failure.js';

describe('to.be.accessible()', () => {
  const failureFor = async (style: string): Promise<string> => {
    const element = await fixture(html`<p style=${style}>text</p>`);
    return String(await failureOf((async () => await expect(element).to.be.accessible())()));
  };

  it('fails for a colour that is hard to distinguish from its background', async () => {
    expect(await failureFor('color: #999; background: #fff')).to.contain('color-contrast');
  });

  it('fails for a colour that is that of its background, which axe alone leaves open', async () => {
    expect(await failureFor('color: #fff; background: #fff')).to.contain('equalRatio');
  });

  it('passes for colours that can be distinguished', async () => {
    const element = await fixture(html`<p style="color: #000; background: #fff">text</p>`);
    await expect(element).to.be.accessible();
  });
});
