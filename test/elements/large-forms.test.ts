// The longest task of forms that a hostile server makes as large as it can.
import type { McpClient } from '@inpage-mcp/client';
import { expect } from '@open-wc/testing';
import '@inpage-mcp/elements/define/mcp-tool-form';
import type { McpToolForm } from '../../packages/elements/src/act/mcp-tool-form/mcp-tool-form.js';
import { eventually, frames } from '../support/elements.js';
import { leastBlocking } from '../support/slowness.js';
import { casesOf } from '../support/test-size.js';

/** People see a page that is blocked for longer. */
const BOUND_MS = 100;

function clientOf(inputSchema: object): McpClient {
  const tool = { name: 'large', inputSchema, annotations: { destructiveHint: false } };
  return {
    state: 'open',
    watchState: () => undefined,
    watchTools: () => ({ ready: Promise.resolve(), stop: () => undefined }),
    listTools: () => Promise.resolve({ tools: [tool] }),
    callTool: () => Promise.resolve({ content: [] }),
  } as never;
}

const many = (count: number, schemaOf: (index: number) => object): object => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field${index}`, schemaOf(index)]),
  ),
});
const options = Array.from({ length: 500 }, (_, index) => `${'aא'.repeat(40)}${index}`);
const described = {
  title: 'aא'.repeat(100),
  description: 'aא\n'.repeat(400),
};

/** Schemas of the largest forms, and how many controls they have at least in the end. */
const FORMS: { [name: string]: [schema: object, controls: number] } = {
  '500 fields': [many(500, () => ({ type: 'string', ...described })), 1],
  '500 fields of 500 values': [many(500, () => ({ enum: options, ...described })), 1],
  '60 described fields': [many(60, () => ({ type: 'string', ...described })), 60],
  '60 numbers out of their bounds': [
    many(60, () => ({ type: 'number', default: 1.5, minimum: 2, multipleOf: 0.7 })),
    60,
  ],
  '60 fields for JSON with large schemas': [
    many(60, () => ({ anyOf: [{ enum: options }, { type: 'object' }], ...described })),
    60,
  ],
  'lists with many entries': [
    many(15, () => ({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } } },
      default: Array.from({ length: 40 }, () => ({ a: 'x'.repeat(100) })),
    })),
    15,
  ],
  'a choice with 500 values': [
    many(1, () => ({ type: 'array', items: { enum: options }, ...described })),
    500,
  ],
};

const controlsIn = (form: McpToolForm): number =>
  form.shadowRoot!.querySelectorAll('.fields :is(input, textarea, select)').length;

/** Shows a form, and calls its tool. */
async function showAndCall(schema: object, controls: number): Promise<void> {
  const form = Object.assign(document.createElement('mcp-tool-form') as McpToolForm, {
    client: clientOf(schema),
    tool: 'large',
  });
  document.body.append(form);
  await eventually(() => {
    form.shadowRoot!.querySelector<HTMLElement>('[data-all]')?.click();
    return controlsIn(form) >= controls;
  });
  form.shadowRoot!.querySelector<HTMLElement>('button.call')!.click();
  await frames(3);
  form.remove();
}

describe('<mcp-tool-form>, with the largest forms that a server can make,', () => {
  for (const [name, [schema, controls]] of casesOf(Object.entries(FORMS))) {
    it(`blocks nothing for long: ${name}`, async () => {
      const least = await leastBlocking(BOUND_MS, () => showAndCall(schema, controls));
      expect(least).to.be.below(BOUND_MS);
    });
  }

  it('shows a text with a line of 2 MB only when the user asks for it, and sends it as it is', async () => {
    const calls: unknown[] = [];
    const client = Object.assign(clientOf(many(1, () => ({ type: 'string' }))), {
      callTool: (_name: string, values: unknown) => {
        calls.push(values);
        return Promise.resolve({ content: [] });
      },
    });
    const show = async (text: string): Promise<McpToolForm> => {
      const form = Object.assign(document.createElement('mcp-tool-form') as McpToolForm, {
        client,
        tool: 'large',
        arguments: { field0: text },
      });
      document.body.append(form);
      await eventually(() => form.shadowRoot!.querySelector('.fields'));
      return form;
    };
    // At the limit, and one past it.
    const short = await show('x'.repeat(19_999));
    expect(controlsIn(short)).to.equal(1);
    short.remove();
    const least = await leastBlocking(BOUND_MS, async () => {
      (await show('x'.repeat(2_000_000))).remove();
    });
    expect(least).to.be.below(BOUND_MS);
    const form = await show('x'.repeat(20_000));
    expect(controlsIn(form)).to.equal(0);
    form.shadowRoot!.querySelector<HTMLElement>('button.call')!.click();
    await eventually(() => calls.length === 1);
    expect(calls).to.deep.equal([{ field0: 'x'.repeat(20_000) }]);
    form.shadowRoot!.querySelector<HTMLElement>('.fields .message button')!.click();
    await eventually(() => controlsIn(form) === 1);
    form.remove();
  });
});
