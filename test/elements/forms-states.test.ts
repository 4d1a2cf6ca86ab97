import { expect, fixture } from '@open-wc/testing';
import '@inpage-mcp/elements/define/mcp-prompt-menu';
import '@inpage-mcp/elements/define/mcp-resource-picker';
import '@inpage-mcp/elements/define/mcp-template-form';
import '@inpage-mcp/elements/define/mcp-tool-form';
import type { McpClient } from '@inpage-mcp/client';
import { eventually, inside } from '../support/elements.js';
import { formClient } from '../support/form-client.js';

type WithClient = HTMLElement & { client: McpClient };

const NAMES = ['loading', 'empty', 'error', 'open', 'reconnecting', 'closed'];
const statesOf = (element: Element): string[] =>
  NAMES.filter((name) => element.matches(`:state(${name})`));
const become = (element: Element, states: string): Promise<unknown> =>
  eventually(() => statesOf(element).join() === states);

async function show(tag: string, more: object = {}): Promise<WithClient> {
  const element = await fixture<WithClient>(`<${tag}></${tag}>`);
  element.client = formClient(more);
  return element;
}

const LISTS: [tag: string, method: string, field: string][] = [
  ['mcp-template-form', 'listResourceTemplates', 'resourceTemplates'],
  ['mcp-prompt-menu', 'listPrompts', 'prompts'],
  ['mcp-tool-form', 'listTools', 'tools'],
];

for (const [tag, method, field] of LISTS)
  describe(`the states of a <${tag}>`, () => {
    it('has custom states for style sheets', async () => {
      const empty = await show(tag, { [method]: async () => ({ [field]: [] }) });
      await become(empty, 'loading');
      await become(empty, 'empty');
      const full = await show(tag);
      await become(full, 'loading');
      await become(full, '');
      const failed = await show(tag, { [method]: () => Promise.reject(new Error('No.')) });
      await become(failed, 'error');
    });

    for (const state of ['reconnecting', 'closed'])
      it(`say that the connection is ${state}`, async () => {
        const element = await show(tag);
        await become(element, '');
        (element.client as ReturnType<typeof formClient>).become(state);
        await become(element, state);
        expect(inside(element, '[part=connection]').textContent).not.to.equal('');
      });

    it('are none without a client', async () => {
      const element = await fixture<HTMLElement>(`<${tag}></${tag}>`);
      expect(statesOf(element).filter((state) => state !== 'loading')).to.deep.equal([]);
    });
  });

describe('the states of a <mcp-resource-picker>', () => {
  it('has custom states for style sheets', async () => {
    const picker = await show('mcp-resource-picker');
    await become(picker, '');
    inside(picker, 'input').click();
    await become(picker, 'open');
    const failed = await show('mcp-resource-picker', {
      listResources: () => Promise.reject(new Error('No.')),
    });
    inside(failed, 'input').click();
    await become(failed, 'error,open');
    (picker.client as ReturnType<typeof formClient>).become('closed');
    await become(picker, 'open,closed');
  });
});

describe('the parts of an option', () => {
  for (const tag of ['mcp-template-form', 'mcp-prompt-menu'])
    it(`can be styled in a <${tag}>`, async () => {
      const element = await show(tag);
      const row = await eventually(() => element.shadowRoot!.querySelector('.row'));
      for (const part of ['icon', 'title', 'details'])
        expect(row.querySelectorAll(`[part~=${part}]`), part).to.have.length(1);
    });

  it('can be styled in a <mcp-resource-picker>', async () => {
    const picker = await show('mcp-resource-picker');
    inside(picker, 'input').click();
    const row = await eventually(() => picker.shadowRoot!.querySelector<HTMLElement>('.row'));
    for (const part of ['icon', 'title', 'details'])
      expect(row.querySelectorAll(`[part~=${part}]`), part).to.have.length(1);
    row.click();
    const chip = await eventually(() => picker.shadowRoot!.querySelector('.chip'));
    expect(chip.querySelectorAll('[part~=title]')).to.have.length(1);
  });

  it('are beside a heading in each form', async () => {
    const tool = await fixture<WithClient>('<mcp-tool-form tool="erase"></mcp-tool-form>');
    const template = await fixture<WithClient>(
      '<mcp-template-form template="a:///{id}"></mcp-template-form>',
    );
    for (const form of [tool, template]) {
      form.client = formClient();
      await eventually(() => form.shadowRoot!.querySelector('[part~=heading]'));
      expect(inside(form, '[part~=submit]').localName).to.equal('button');
      expect(inside(form, '[part~=field]').querySelector('label')).not.to.equal(null);
    }
  });
});
