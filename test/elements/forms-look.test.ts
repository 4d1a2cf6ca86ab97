import { expect, fixture, html } from '@open-wc/testing';
import type { TemplateResult } from 'lit';
import '@inpage-mcp/elements/define/mcp-prompt-menu';
import '@inpage-mcp/elements/define/mcp-resource-picker';
import '@inpage-mcp/elements/define/mcp-template-form';
import '@inpage-mcp/elements/define/mcp-tool-form';
import { forceColors } from '../scenarios/browser.js';
import { eventually, inside } from '../support/elements.js';
import { formClient } from '../support/form-client.js';

const show = (template: TemplateResult): Promise<HTMLElement> => fixture<HTMLElement>(template);
const find = (host: HTMLElement, selector: string): Promise<HTMLElement> =>
  eventually(() => host.shadowRoot!.querySelector<HTMLElement>(selector));
const style = (host: HTMLElement, selector: string): CSSStyleDeclaration =>
  getComputedStyle(inside(host, selector));

/** Where the text of an element is, not the element. */
function textRect(element: HTMLElement): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

describe('in forced colours, the forms', () => {
  beforeEach(async function () {
    if (!(await forceColors(true))) this.skip();
  });
  afterEach(async () => {
    await forceColors(false);
  });

  it('show the words of the button that confirms a call', async () => {
    const form = await show(
      html`<mcp-tool-form .client=${formClient()} tool="erase"></mcp-tool-form>`,
    );
    (await find(form, 'button.call')).click();
    await find(form, 'button.confirm[aria-disabled=false]');
    const { color, backgroundColor, forcedColorAdjust } = style(form, 'button.confirm');
    expect(color).not.to.equal(backgroundColor);
    // Else the browser draws the colour of the page behind the words, which is that of the words.
    expect(forcedColorAdjust).to.equal('none');
  });

  it('show how much of a budget is used', async () => {
    const picker = await show(
      html`<mcp-resource-picker .client=${formClient()} budget="1000"></mcp-resource-picker>`,
    );
    await find(picker, '.chip');
    const used = style(picker, '.bar > span').backgroundColor;
    const { backgroundColor } = style(picker, '.bar');
    expect(backgroundColor).not.to.equal(used);
    expect(backgroundColor).to.equal(style(picker, '.chip').backgroundColor);
  });

  it('show the word “automatic” in the colour of other words', async () => {
    const picker = await show(
      html`<mcp-resource-picker .client=${formClient()} budget="1000"></mcp-resource-picker>`,
    );
    await find(picker, '.badge');
    expect(style(picker, '.badge').color).to.equal(style(picker, '.title').color);
  });
});

describe('the forms', () => {
  it('have a button that looks disabled when it is', async () => {
    const client = formClient({ state: 'closed' });
    const form = await show(
      html`<mcp-template-form .client=${client} template="a:///{id}"></mcp-template-form>`,
    );
    const button = (await find(form, 'button.primary')) as HTMLButtonElement;
    expect(button.disabled).to.equal(true);
    expect(getComputedStyle(button).backgroundColor).to.equal('rgb(255, 255, 255)');
    const remark = await find(form, '.remark');
    const gap = remark.getBoundingClientRect().top - button.getBoundingClientRect().bottom;
    expect(gap).to.be.at.least(8);
  });

  for (const density of [0.5, 1, 2])
    it(`have options that fit their two lines, with a density of ${density}`, async () => {
      const menu = await show(
        html`<mcp-prompt-menu
          .client=${formClient()}
          style="--mcp-density: ${density}"
        ></mcp-prompt-menu>`,
      );
      const row = await find(menu, '.row');
      expect(row.scrollHeight).to.be.at.most(row.clientHeight);
    });

  it('have suggestions that can be tapped, with a low density', async () => {
    const complete = async (): Promise<object> => ({ values: ['a'] });
    const client = formClient({ serverCapabilities: { resources: {}, completions: {} }, complete });
    const form = await show(
      html`<mcp-template-form
        .client=${client}
        template="a:///{id}"
        style="--mcp-density: 0.5"
      ></mcp-template-form>`,
    );
    const input = await find(form, 'input');
    input.focus();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
    const row = await find(form, '.popup .row');
    expect(row.offsetHeight).to.be.at.least(24);
  });

  it('have details of an error that can be tapped', async () => {
    const failure = Object.assign(new Error('No.'), { code: 'timeout' });
    const client = formClient({ listTools: () => Promise.reject(failure) });
    const form = await show(html`<mcp-tool-form .client=${client}></mcp-tool-form>`);
    expect((await find(form, 'summary')).offsetHeight).to.be.at.least(24);
  });

  it('begin each text of a server where the form begins, in a page from right to left', async () => {
    const client = formClient();
    const frame = await show(
      html`<div dir="rtl" style="inline-size: 400px">
        <mcp-template-form .client=${client}></mcp-template-form>
        <mcp-template-form .client=${client} template="a:///{id}"></mcp-template-form>
        <mcp-tool-form .client=${client} tool="erase"></mcp-tool-form>
      </div>`,
    );
    const [list, template, tool] = [...frame.children] as HTMLElement[];
    await find(list!, '.row');
    await find(template!, '.about');
    await find(tool!, '.description');
    const end = (host: HTMLElement, selector: string): number =>
      Math.round(textRect(inside(host, selector)).right);
    expect(end(list!, '.row .details')).to.equal(end(list!, '.row .one-line'));
    expect(end(template!, '.about')).to.equal(end(template!, '.heading .one-line'));
    expect(end(tool!, '.about')).to.equal(end(tool!, '.tool bdi'));
    expect(end(tool!, '.field .description')).to.equal(end(tool!, '.field .title'));
  });

  it('show a value in its own direction', async () => {
    const form = await show(
      html`<mcp-template-form
        .client=${formClient()}
        template="a:///{id}"
        .values=${{ id: 'ملاحظة' }}
      ></mcp-template-form>`,
    );
    await find(form, 'input');
    expect(style(form, 'input').direction).to.equal('rtl');
  });
});
