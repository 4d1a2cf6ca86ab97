import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '@inpage-mcp/elements/define/mcp-tool-form';
import type { McpClient } from '@inpage-mcp/client';
import type { McpToolForm } from '../../packages/elements/src/act/mcp-tool-form/mcp-tool-form.js';
import type {
  McpToolResourceEvent,
  McpToolResultEvent,
} from '../../packages/elements/src/act/mcp-tool-form/events.js';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { manyHoles } from '../support/holes.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';

/** A client of a server with these tools, which checks nothing. */
function toolClient(
  tools: unknown,
  callTool: McpClient['callTool'] = () => Promise.resolve({ content: [] }),
): McpClient & { change(tools: unknown): void; become(state: McpClient['state']): void } {
  const listeners = new Set<() => void>();
  const states = new Set<() => void>();
  const client = {
    state: 'open',
    watchState: (listener: () => void) => states.add(listener),
    watchTools: (listener: () => void) => {
      listeners.add(listener);
      return { ready: Promise.resolve(), stop: () => undefined };
    },
    listTools: () => Promise.resolve({ tools }),
    callTool,
    change(next: unknown) {
      tools = next;
      for (const listener of listeners) listener();
    },
    become(state: McpClient['state']) {
      client.state = state;
      for (const listener of states) listener();
    },
  };
  return client as never;
}

const ADDS = { readOnlyHint: false, destructiveHint: false };
const GREET = {
  name: 'greet',
  title: 'Greet',
  annotations: ADDS,
  inputSchema: {
    type: 'object',
    properties: { who: { type: 'string', maxLength: 50 } },
    required: ['who'],
  },
};
const NAMELESS = { name: 'act', annotations: ADDS, inputSchema: { type: 'object' } };

const show = async (client: McpClient, tool?: string): Promise<McpToolForm> => {
  const form = await fixture<McpToolForm>(
    html`<mcp-tool-form .client=${client} tool=${tool ?? ''}></mcp-tool-form>`,
  );
  if (tool) await eventually(() => form.shadowRoot!.querySelector('.tool'));
  return form;
};
const input = (form: McpToolForm, label: string): HTMLInputElement => {
  const labels = [...form.shadowRoot!.querySelectorAll('label')];
  const found = labels.find(({ textContent }) => textContent.trim().startsWith(label));
  return form.shadowRoot!.querySelector<HTMLInputElement>(`#${found?.htmlFor}`)!;
};
const type = (control: HTMLInputElement, text: string): void => {
  control.value = text;
  control.dispatchEvent(new Event('input'));
  control.dispatchEvent(new Event('change'));
};
const call = (form: McpToolForm): void => inside(form, 'button.call').click();
const confirm = async (form: McpToolForm): Promise<void> => {
  const button = await eventually(() =>
    form.shadowRoot!.querySelector<HTMLElement>('button.confirm[aria-disabled=false]'),
  );
  button.click();
};
const resultOf = async (form: McpToolForm): Promise<McpToolResultEvent> => {
  const event = (await oneEvent(form, 'mcp-tool-result')) as unknown as McpToolResultEvent;
  await form.updateComplete;
  return event;
};
/** How many tools the user can choose. */
const listed = (form: McpToolForm): number =>
  Number(form.shadowRoot!.querySelector('[role=option]')?.getAttribute('aria-setsize') ?? 0);
const textOf = (form: McpToolForm, selector: string): string =>
  inside(form, selector).textContent.replaceAll(/\s+/g, ' ').trim();

describe('<mcp-tool-form>, with the real server,', () => {
  const server = useLinkedClient();

  it('lets the user choose a tool, calls it, and shows the answer', async () => {
    const form = await show(server.client);
    const search = await eventually(() => form.shadowRoot!.querySelector('input'));
    await expect(form).to.be.accessible();
    search.focus();
    await sendKeys({ type: 'create_no' });
    await sendKeys({ press: 'Enter' });
    await eventually(() => form.shadowRoot!.activeElement?.localName === 'h3');
    type(input(form, 'title'), 'Shopping');
    type(input(form, 'text'), '- milk');
    const ended = resultOf(form);
    call(form);
    const { result, arguments: values } = await ended;
    expect(values).to.deep.equal({ title: 'Shopping', text: '- milk' });
    expect(result?.structuredContent).to.include({ title: 'Shopping' });
    expect(textOf(form, '#outcome')).to.equal('The tool has answered.');
    expect(textOf(form, '.json')).to.contain('"title": "Shopping"');
    await expect(form).to.be.accessible();
  });

  it('sends the user to what a link points to', async () => {
    const form = await show(server.client, 'create_note');
    type(input(form, 'title'), 'Linked');
    type(input(form, 'text'), 'text');
    const ended = resultOf(form);
    call(form);
    await ended;
    const opened = oneEvent(form, 'mcp-tool-resource');
    inside(form, 'button.link').click();
    const { resource } = (await opened) as unknown as McpToolResourceEvent;
    expect(resource).to.include({ title: 'Linked' });
    expect(resource.uri).to.match(/^note:\/\/\//);
  });

  it('asks before it deletes, with the exact values, and keeps them after an error', async () => {
    const form = await show(server.client, 'delete_note');
    type(input(form, 'id'), 'no-such-note');
    call(form);
    await form.updateComplete;
    expect(form.matches(':state(confirming)')).to.equal(true);
    expect(textOf(form, '#question')).to.equal('Call “Delete a note” with these values?');
    expect(textOf(form, '.arguments')).to.equal('{ "id": "no-such-note" }');
    await expect(form).to.be.accessible();
    const ended = resultOf(form);
    await confirm(form);
    expect((await ended).result).to.include({ isError: true });
    expect(textOf(form, '#outcome')).to.equal('The tool reports an error.');
    expect(textOf(form, '.outcome')).to.contain('There is no note "no-such-note"');
    expect(input(form, 'id').value).to.equal('no-such-note');
  });

  it('has a form that axe has nothing to say against, for every tool', async () => {
    const { tools } = await server.client.listTools();
    const form = await show(server.client, tools[0]!.name);
    for (const { name } of tools) {
      form.tool = name;
      await form.updateComplete;
      expect(textOf(form, '.tool')).to.contain(name);
      await expect(form).to.be.accessible();
    }
  });
});

describe('<mcp-tool-form>', () => {
  it('says what the server says of a tool, and that these are hints', async () => {
    const words = async (annotations?: object): Promise<string> =>
      textOf(await show(toolClient([{ ...NAMELESS, annotations }]), 'act'), '.tool');
    expect(await words({ readOnlyHint: true, openWorldHint: true }))
      .to.contain('Only reads')
      .and.contain('May reach systems outside')
      .and.contain('The server says so');
    expect(await words({ destructiveHint: true, idempotentHint: true }))
      .to.contain('May overwrite or delete.')
      .and.contain('A second call');
    expect(await words()).to.contain('does not say whether it overwrites');
  });

  it('takes no yes before all of the values were in sight, with what nobody sees', async () => {
    const inputSchema = { type: 'object', properties: { who: { type: 'string' } } };
    const tools = [{ ...GREET, annotations: {}, inputSchema }];
    const client = toolClient(tools, () => Promise.resolve({ content: [] }));
    const form = await show(client, 'greet');
    type(input(form, 'who'), `Ada\u202E${'\u00A0'.repeat(5_000)}and Bob`);
    call(form);
    const button = await eventually(() => form.shadowRoot!.querySelector('button.confirm'));
    expect(textOf(form, '.arguments')).to.contain('"who": "Ada⟨U+202E⟩');
    // What is in sight at once can be agreed to as soon as any question can.
    const other = await show(client, 'greet');
    call(other);
    await confirm(other);
    expect(button.getAttribute('aria-disabled')).to.equal('true');
    const box = inside(form, '.arguments');
    await eventually(() => {
      box.scrollTop = box.scrollHeight;
      return button.getAttribute('aria-disabled') === 'false';
    });
    const ended = resultOf(form);
    await confirm(form);
    expect((await ended).error).to.equal(undefined);
  });

  it('asks before each tool that the server does not call harmless', async () => {
    const asks = async (annotations?: object): Promise<boolean> => {
      const form = await show(toolClient([{ ...NAMELESS, annotations }]), 'act');
      call(form);
      await form.updateComplete;
      return form.matches(':state(confirming)');
    };
    expect(await asks()).to.equal(true);
    expect(await asks({ destructiveHint: true })).to.equal(true);
    expect(await asks({ destructiveHint: false })).to.equal(false);
    expect(await asks({ readOnlyHint: true })).to.equal(false);
  });

  it('does not take the second click of a double click for a yes', async () => {
    let calls = 0;
    const count = (): Promise<never> => Promise.reject(new Error(String((calls += 1))));
    const form = await show(toolClient([{ ...NAMELESS, annotations: {} }], count), 'act');
    call(form);
    await form.updateComplete;
    inside(form, 'button.confirm').click();
    expect(calls).to.equal(0);
    expect(form.matches(':state(confirming)')).to.equal(true);
    await confirm(form);
    expect(calls).to.equal(1);
  });

  it('asks again if the server changes the tool while the user is asked', async () => {
    const client = toolClient([{ ...NAMELESS, annotations: {} }]);
    const form = await show(client, 'act');
    call(form);
    await form.updateComplete;
    client.change([{ ...NAMELESS, annotations: {}, description: 'Now it does more.' }]);
    await eventually(() => !form.matches(':state(confirming)'));
    await form.updateComplete;
    expect(textOf(form, '.remark')).to.contain('has changed this tool');
  });

  it('keeps the focus, and takes none, when the server changes the tool of a question', async () => {
    for (const hasFocus of [true, false]) {
      const client = toolClient([{ ...NAMELESS, annotations: {} }]);
      const form = await show(client, 'act');
      call(form);
      await form.updateComplete;
      const question = inside(form, '#question');
      expectFocus(form, question);
      if (hasFocus) inside(form, 'button.back').focus();
      else question.blur();
      client.change([{ ...NAMELESS, annotations: {}, description: 'Now it does more.' }]);
      await eventually(() => !form.matches(':state(confirming)'));
      await form.updateComplete;
      const focused = hasFocus ? inside(form, 'button.call') : null;
      expectFocus(form, focused);
    }
  });

  it('goes back with Escape, and the focus with it', async () => {
    const form = await show(toolClient([{ ...NAMELESS, annotations: {} }]), 'act');
    inside(form, 'button.call').focus();
    await sendKeys({ press: 'Enter' });
    await form.updateComplete;
    expect(form.shadowRoot!.activeElement?.id).to.equal('question');
    await sendKeys({ press: 'Escape' });
    await form.updateComplete;
    expect(form.shadowRoot!.activeElement?.className).to.contain('call');
  });

  it('counts no problem of a field that is hidden', async () => {
    const part = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const inputSchema = { type: 'object', properties: { part } };
    const form = await show(toolClient([{ ...NAMELESS, inputSchema }]), 'act');
    const box = inside(form, 'input[type=checkbox]');
    box.click();
    await eventually(() => input(form, 'a'));
    call(form);
    await eventually(() => textOf(form, '[role=status]') === 'Fields to correct: 1');
    box.click();
    await form.updateComplete;
    expect(textOf(form, '[role=status]')).to.equal('');
    box.click();
    await form.updateComplete;
    expect(textOf(form, '[role=status]')).to.equal('Fields to correct: 1');
  });

  it('shows what is missing at its field, and moves the focus there', async () => {
    let calls = 0;
    const count = (): Promise<never> => Promise.reject(new Error(String((calls += 1))));
    const form = await show(toolClient([GREET], count), 'greet');
    call(form);
    await eventually(() => form.shadowRoot!.activeElement === input(form, 'who'));
    const who = input(form, 'who');
    expect(who.getAttribute('aria-invalid')).to.equal('true');
    const described = who.getAttribute('aria-describedby')!;
    expect(textOf(form, `#${described}`)).to.equal('Enter a value.');
    expect(textOf(form, '[role=status]')).to.equal('Fields to correct: 1');
    expect(calls).to.equal(0);
    await expect(form).to.be.accessible();
    type(who, 'Ada');
    await form.updateComplete;
    expect(who.getAttribute('aria-invalid')).to.equal('false');
    call(form);
    expect(calls).to.equal(1);
  });

  it('checks what the browser checks: addresses and numbers', async () => {
    const properties = {
      mail: { type: 'string', format: 'email' },
      site: { type: 'string', format: 'uri' },
    };
    const inputSchema = { type: 'object', properties };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    type(input(form, 'mail'), 'nobody');
    type(input(form, 'site'), 'nowhere');
    await form.updateComplete;
    const problems = [...form.shadowRoot!.querySelectorAll('.problem')];
    expect(problems.map(({ textContent }) => textContent.trim())).to.deep.equal([
      'Enter an email address.',
      'Enter an address with its scheme, such as https://example.com/.',
    ]);
  });

  it('adds and removes the entries of a list, with the keyboard, too', async () => {
    const item = { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } };
    const inputSchema = { type: 'object', properties: { all: { type: 'array', items: item } } };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    inside(form, '[data-add]').focus();
    await sendKeys({ press: 'Enter' });
    await eventually(() => form.shadowRoot!.activeElement?.localName === 'input');
    await sendKeys({ type: 'Ada' });
    inside(form, '[data-add]').click();
    await eventually(() => form.shadowRoot!.querySelectorAll('.items > li').length === 2);
    await expect(form).to.be.accessible();
    expect(inside(form, '.items > li').textContent).to.contain('all, entry 1');
    [...form.shadowRoot!.querySelectorAll<HTMLElement>('.remove')].at(-1)!.click();
    await form.updateComplete;
    const ended = resultOf(form);
    call(form);
    expect((await ended).arguments).to.deep.equal({ all: [{ name: 'Ada' }] });
  });

  it('takes all values as JSON, and shows them in their fields again', async () => {
    const form = await show(toolClient([GREET]), 'greet');
    type(input(form, 'who'), 'Ada');
    inside(form, 'button.as-json').click();
    await form.updateComplete;
    const json = inside(form, 'textarea') as HTMLTextAreaElement;
    expect(JSON.parse(json.value)).to.deep.equal({ who: 'Ada' });
    type(json as unknown as HTMLInputElement, '[1]');
    inside(form, 'button.as-json').click();
    await form.updateComplete;
    expect(textOf(form, '.problem')).to.contain('Enter an object');
    type(json as unknown as HTMLInputElement, '{"who": "Bob", "more": 1}');
    inside(form, 'button.as-json').click();
    await form.updateComplete;
    expect(input(form, 'who').value).to.equal('Bob');
    const ended = resultOf(form);
    call(form);
    expect((await ended).arguments).to.deep.equal({ who: 'Bob', more: 1 });
  });

  it('starts with the arguments of the page', async () => {
    const form = await show(toolClient([GREET]), 'greet');
    form.arguments = { who: 'Grace' };
    await form.updateComplete;
    expect(input(form, 'who').value).to.equal('Grace');
    type(input(form, 'who'), 'Ada');
    form.arguments = { who: 'Grace' };
    await form.updateComplete;
    expect(input(form, 'who').value, 'the same values again').to.equal('Ada');
  });

  it('leaves no gap above the button of a tool without arguments', async () => {
    const form = await show(toolClient([NAMELESS]), 'act');
    const { top } = inside(form, 'form').getBoundingClientRect();
    expect(inside(form, '.buttons').getBoundingClientRect().top).to.equal(top);
  });

  it('lets the page prevent a call', async () => {
    let calls = 0;
    const count = (): Promise<never> => Promise.reject(new Error(String((calls += 1))));
    const form = await show(toolClient([NAMELESS], count), 'act');
    form.addEventListener('mcp-tool-call', (event) => event.preventDefault(), { once: true });
    call(form);
    expect(calls).to.equal(0);
    call(form);
    expect(calls).to.equal(1);
  });

  it('shows the progress of a call, and cancels it', async () => {
    const form = await show(
      toolClient([NAMELESS], (_name, _arguments, options) => {
        options!.onprogress!({ progress: 3, total: 10, message: 'Mixing' });
        const { signal } = options!;
        return new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason as Error));
        });
      }),
      'act',
    );
    call(form);
    const bar = (): HTMLProgressElement | null => form.shadowRoot!.querySelector('progress');
    await eventually(() => bar()?.value === 3 && bar()?.max === 10);
    expect(form.matches(':state(calling)')).to.equal(true);
    expect(textOf(form, '.progress-text')).to.equal('Mixing 3 of 10');
    expect(textOf(form, '.running .facts')).to.contain('30 seconds');
    expect(textOf(form, '[role=status]')).to.equal('Calling the tool.');
    expect(form.shadowRoot!.activeElement?.className).to.equal('cancel');
    await expect(form).to.be.accessible();
    const ended = resultOf(form);
    await sendKeys({ press: 'Enter' });
    expect((await ended).result).to.equal(undefined);
    expect(textOf(form, '.outcome')).to.contain('You have cancelled the call.');
    expect(textOf(form, '.outcome')).to.contain('may have made changes');
    expect(form.shadowRoot!.activeElement?.id).to.equal('outcome');
  });

  it('cancels the call when it leaves the page', async () => {
    let signal: AbortSignal | undefined;
    const never = (_n: string, _a: unknown, options: unknown): Promise<never> => {
      ({ signal } = options as { signal: AbortSignal });
      return new Promise(() => {});
    };
    const form = await show(toolClient([NAMELESS], never), 'act');
    call(form);
    form.remove();
    expect(signal!.aborted).to.equal(true);
  });

  it('has no button that cannot work when the connection has ended', async () => {
    const client = toolClient([GREET]);
    const form = await show(client, 'greet');
    client.become('closed');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('button.call')).to.equal(null);
    expect(textOf(form, '[part=connection]')).to.contain('The connection has ended.');
  });

  it('says that there are no tools, or why they cannot be read', async () => {
    const none = await show(toolClient([]));
    await eventually(() => none.shadowRoot!.querySelector('.message'));
    expect(textOf(none, '.message')).to.equal('This server has no tools.');
    const broken = await show(toolClient(7));
    await eventually(() => broken.shadowRoot!.querySelector('[role=alert]'));
    expect(textOf(broken, '[role=alert]')).to.contain('nothing that can be shown');
  });

  it('says that a tool is gone, and shows it when it is back', async () => {
    const client = toolClient([NAMELESS]);
    const form = await show(client, 'act');
    client.change([GREET]);
    await eventually(() => form.shadowRoot!.textContent.includes('does not have this tool: act'));
    client.change([NAMELESS]);
    await eventually(() => form.shadowRoot!.querySelector('.tool'));
  });

  it('keeps what the user has entered when the tool changes', async () => {
    const client = toolClient([GREET]);
    const form = await show(client, 'greet');
    type(input(form, 'who'), 'Ada');
    client.change([{ ...GREET, description: 'Another text.' }]);
    await eventually(() => form.shadowRoot!.textContent.includes('Another text.'));
    expect(input(form, 'who').value).to.equal('Ada');
  });

  /** Of none of these schemas there is a field. */
  const JSON_FIELD = {
    anyOf: [{ allOf: [{ type: 'string' }, {}] }, { allOf: [{ type: 'number' }, {}] }],
    title: 'Any',
  };
  const jsonTool = (properties: object): object => ({
    ...GREET,
    inputSchema: { type: 'object', properties: { any: JSON_FIELD, ...properties } },
  });

  it('keeps unfinished JSON when the schema of the tool changes', async () => {
    const client = toolClient([jsonTool({})]);
    const form = await show(client, 'greet');
    type(input(form, 'Any'), '{"half": ');
    client.change([jsonTool({ more: { type: 'string', title: 'More' } })]);
    await eventually(() => form.shadowRoot!.textContent.includes('More'));
    expect(input(form, 'Any').value).to.equal('{"half": ');
    call(form);
    await form.updateComplete;
    expect(textOf(form, '.problem')).to.contain('This is not valid JSON');
  });

  it('keeps all values as JSON when the schema of the tool changes', async () => {
    const client = toolClient([GREET]);
    const form = await show(client, 'greet');
    inside(form, 'button.as-json').click();
    await form.updateComplete;
    type(inside(form, 'textarea') as HTMLInputElement, '{"who": "Ada", "more": 1}');
    client.change([jsonTool({})]);
    await eventually(() => form.shadowRoot!.textContent.includes('has changed this tool'));
    const { value } = inside(form, 'textarea') as HTMLTextAreaElement;
    expect(JSON.parse(value)).to.deep.equal({ who: 'Ada', more: 1 });
  });

  it('shows no other view while that would lose unfinished JSON', async () => {
    const form = await show(toolClient([jsonTool({})]), 'greet');
    type(input(form, 'Any'), '{"half": ');
    inside(form, 'button.as-json').click();
    await eventually(() => form.shadowRoot!.activeElement === input(form, 'Any'));
    expect(input(form, 'Any').value).to.equal('{"half": ');
    expect(textOf(form, '.problem')).to.contain('This is not valid JSON');
    type(input(form, 'Any'), '7');
    inside(form, 'button.as-json').click();
    await form.updateComplete;
    const { value } = inside(form, 'textarea') as HTMLTextAreaElement;
    expect(JSON.parse(value)).to.deep.equal({ any: 7 });
  });

  it('shows the schema of JSON beside it', async () => {
    const form = await show(toolClient([jsonTool({})]), 'greet');
    expect(form.shadowRoot!.querySelector('pre')).to.equal(null);
    inside(form, 'summary').click();
    const schema = await eventually(() => form.shadowRoot!.querySelector('pre'));
    expect(JSON.parse(schema.textContent)).to.deep.equal(JSON_FIELD);
    await expect(form).to.be.accessible();
  });

  it('says so if all values can only be written as JSON, without a button for fields', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const inputSchema = { type: 'object', properties };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    expect(textOf(form, 'form .facts')).to.contain('Write them as JSON.');
    expect(form.shadowRoot!.querySelector('button.as-json')).to.equal(null);
    type(inside(form, 'textarea') as HTMLInputElement, '[7]');
    call(form);
    await form.updateComplete;
    expect(textOf(form, '.problem')).to.contain('Enter an object');
    await expect(form).to.be.accessible();
  });

  it('keeps what the user has entered when it is moved in its page', async () => {
    const form = await show(toolClient([GREET]), 'greet');
    type(input(form, 'who'), 'Ada');
    const place = document.createElement('div');
    form.parentElement!.append(place);
    place.append(form);
    await form.updateComplete;
    await new Promise(requestAnimationFrame);
    expect(input(form, 'who').value).to.equal('Ada');
  });

  it('shows what the user has entered when a part is filled in again', async () => {
    const part = { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } };
    const inputSchema = { type: 'object', properties: { part } };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    const box = inside(form, '[type=checkbox]') as HTMLInputElement;
    box.click();
    await form.updateComplete;
    type(input(form, 'name'), 'Ada');
    box.click();
    await form.updateComplete;
    expect(form.shadowRoot!.textContent).not.to.contain('name');
    box.click();
    await form.updateComplete;
    expect(input(form, 'name').value).to.equal('Ada');
  });

  it('shows what the user has entered after a new connection to the server', async () => {
    const form = await show(toolClient([GREET]), 'greet');
    type(input(form, 'who'), 'Ada');
    form.client = toolClient([GREET]);
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('form')).to.equal(null);
    await eventually(() => form.shadowRoot!.querySelector('form'));
    expect(input(form, 'who').value).to.equal('Ada');
  });

  it('leaves a number alone that the user has not finished', async () => {
    const inputSchema = { type: 'object', properties: { count: { type: 'number', default: 5 } } };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    const count = input(form, 'count');
    count.focus();
    count.select();
    await sendKeys({ type: '12e' });
    call(form);
    await form.updateComplete;
    expect(count.validity.badInput).to.equal(true);
    expect(textOf(form, '.problem')).to.equal('Enter a number.');
  });

  it('shows nothing of another server while its tools are read', async () => {
    const form = await show(toolClient([GREET]), 'greet');
    const other = toolClient([GREET]);
    other.listTools = () => new Promise(() => undefined);
    form.client = other;
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('form')).to.equal(null);
    expect(inside(form, '[aria-busy=true]')).to.be.instanceOf(HTMLElement);
  });

  it('says why the tools cannot be read again, and tries again', async () => {
    const client = toolClient([GREET]);
    const form = await show(client, 'greet');
    const { listTools } = client;
    client.listTools = () => Promise.reject(new Error('The disk is on fire.'));
    client.change([GREET]);
    const alert = await eventually(() => form.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The disk is on fire.');
    expect(input(form, 'who').matches(':enabled')).to.equal(true);
    client.listTools = listTools;
    alert.querySelector('button')!.click();
    await eventually(() => !form.shadowRoot!.querySelector('[role=alert]'));
  });

  it('takes no yes when the connection ends while it asks', async () => {
    let calls = 0;
    const count = (): Promise<never> => Promise.reject(new Error(String((calls += 1))));
    const client = toolClient([{ ...NAMELESS, annotations: {} }], count);
    const form = await show(client, 'act');
    call(form);
    await eventually(() => form.shadowRoot!.querySelector('.confirm[aria-disabled=false]'));
    client.become('closed');
    await form.updateComplete;
    inside(form, '.confirm').click();
    expect(inside(form, '.confirm').getAttribute('aria-disabled')).to.equal('true');
    expect(calls).to.equal(0);
  });

  it('sends the form with Control and Enter from a field of several lines', async () => {
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const form = await show(toolClient([{ ...GREET, inputSchema }]), 'greet');
    inside(form, 'textarea').focus();
    await sendKeys({ type: 'one' });
    const ended = resultOf(form);
    await sendKeys({ down: 'Control' });
    await sendKeys({ press: 'Enter' });
    await sendKeys({ up: 'Control' });
    expect((await ended).arguments).to.deep.equal({ text: 'one' });
  });

  it('says how a call has failed, and that it may have changed something', async () => {
    const lost = Object.assign(new Error('No answer in 30 seconds.'), { code: 'timeout' });
    const remarkOf = async (failure: Error, annotations: object): Promise<string> => {
      const form = await show(
        toolClient([{ ...NAMELESS, annotations }], () => Promise.reject(failure)),
        'act',
      );
      const ended = resultOf(form);
      call(form);
      expect((await ended).error).to.equal(failure);
      expect(textOf(form, '.outcome [role=alert]')).to.contain(failure.message);
      return textOf(form, '.outcome');
    };
    expect(await remarkOf(lost, ADDS)).to.contain('may have made changes');
    expect(await remarkOf(lost, { readOnlyHint: true })).not.to.contain('may have made changes');
    expect(await remarkOf(new Error('Wrong.'), ADDS)).not.to.contain('may have made changes');
  });

  it('lists 20,000 tools, and says so if there are more', async () => {
    const pages = [9_999, 10_000, 2].map((length, page) =>
      Array.from({ length }, (_, index) => ({ ...NAMELESS, name: `tool${page}-${index}` })),
    );
    const client = toolClient([]);
    client.listTools = ({ cursor } = {}) => {
      const page = Number(cursor ?? 0);
      const nextCursor = page + 1 < pages.length ? String(page + 1) : undefined;
      return Promise.resolve({ tools: pages[page], nextCursor } as never);
    };
    const form = await show(client);
    await eventually(() => listed(form) === 20_000);
    expect(form.shadowRoot!.textContent).to.contain('more entries than');
  });

  it('shows the form of a tool before the other pages of the list are there', async () => {
    const client = toolClient([]);
    client.listTools = ({ cursor } = {}) =>
      cursor
        ? new Promise(() => undefined)
        : Promise.resolve({ tools: [GREET], nextCursor: 'more' } as never);
    await show(client, 'greet');
    const late = await fixture<McpToolForm>(
      html`<mcp-tool-form .client=${client} tool="late"></mcp-tool-form>`,
    );
    await eventually(() => late.shadowRoot!.querySelector('[aria-busy=true]'));
    expect(late.shadowRoot!.textContent).not.to.contain('does not have this tool');
  });

  it('finds one of 1,000 tools by its title, and goes back to its search', async () => {
    const tools = Array.from({ length: 1_000 }, (_, at) => ({
      ...GREET,
      name: `t${at}`,
      title: `Tool ${at}`,
    }));
    const form = await show(toolClient(tools));
    await eventually(() => listed(form) === 1_000);
    inside(form, '.chooser input:not(.visually-hidden)').focus();
    await sendKeys({ type: 'tool 537' });
    await eventually(() => listed(form) === 1);
    await sendKeys({ press: 'Enter' });
    await eventually(() => form.shadowRoot!.activeElement?.localName === 'h3');
    expect(textOf(form, '.tool')).to.contain('Tool 537');
    inside(form, '.back').click();
    await eventually(() => listed(form) === 1_000);
    expectFocus(form, inside(form, '.chooser input'));
  });

  it('leaves out tools that can only run as tasks, and says why', async () => {
    const taskOnly = { ...GREET, name: 'long', execution: { taskSupport: 'required' } };
    const either = { ...GREET, name: 'either', execution: { taskSupport: 'optional' } };
    const client = toolClient([taskOnly, either]);
    const form = await show(client);
    await eventually(() => listed(form) === 1);
    expect(textOf(form, '[role=note]')).to.equal(
      'Tools that can only run as tasks, which this page does not support: 1',
    );
    await expect(form).to.be.accessible();
    const named = await show(client, 'long');
    expect(textOf(named, '[role=note]')).to.contain('This tool can only run as a task');
    expect(named.shadowRoot!.querySelector('form')).to.equal(null);
  });

  describe('a value of one of several schemas', () => {
    const shape = {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        { type: 'object', properties: { width: { type: 'number' }, height: { type: 'number' } } },
      ],
    };
    const showUnion = async (inputSchema: object, values?: object): Promise<McpToolForm> => {
      const client = toolClient([{ ...GREET, inputSchema }], () =>
        Promise.resolve({ content: [] }),
      );
      const form = await show(client, 'greet');
      if (values) form.arguments = values as never;
      await form.updateComplete;
      expect(form.shadowRoot!.querySelector('textarea.code')).to.equal(null);
      return form;
    };
    const choose = async (form: McpToolForm, title: string): Promise<void> => {
      const select = inside(form, 'select') as HTMLSelectElement;
      select.selectedIndex = [...select.options].findIndex((one) => one.text.trim() === title);
      select.dispatchEvent(new Event('change'));
      await form.updateComplete;
      await eventually(() =>
        form.shadowRoot!.querySelector('.fields .fields :is(input, textarea)'),
      );
    };
    const sent = async (form: McpToolForm): Promise<unknown> => {
      const ended = resultOf(form);
      call(form);
      return (await ended).arguments;
    };

    it('is a text or a number, without quotes', async () => {
      for (const id of [
        { type: ['string', 'number'] },
        { anyOf: [{ type: 'string' }, { type: 'number' }] },
      ]) {
        const form = await showUnion({ type: 'object', properties: { id }, required: ['id'] });
        type(input(form, 'Text'), 'abc');
        expect(await sent(form)).to.deep.equal({ id: 'abc' });
        await choose(form, 'Number');
        type(input(form, 'Number'), '7');
        await expect(form).to.be.accessible();
        expect(await sent(form)).to.deep.equal({ id: 7 });
      }
    });

    it('is one of several objects, called by what tells it from others', async () => {
      const form = await showUnion({ type: 'object', properties: { shape }, required: ['shape'] });
      const options = [...(inside(form, 'select') as HTMLSelectElement).options];
      expect(options.map((one) => one.text.trim())).to.deep.equal([
        'Not chosen',
        'circle',
        'width, height',
      ]);
      call(form);
      await form.updateComplete;
      expect(textOf(form, '.problem')).to.equal('Enter a value.');
      type(input(form, 'radius'), '2');
      expect(await sent(form)).to.deep.equal({ shape: { kind: 'circle', radius: 2 } });
    });

    it('is left out if it is optional and nothing is chosen', async () => {
      const form = await showUnion({ type: 'object', properties: { shape } });
      expect(await sent(form)).to.deep.equal({});
    });

    it('is what the page has set, and the arguments as a whole', async () => {
      const form = await showUnion({ type: 'object', ...shape }, { width: 3 });
      expect(input(form, 'width').value).to.equal('3');
      expect(await sent(form)).to.deep.equal({ width: 3 });
    });

    it('has up to 20 schemas; of more, and of none that has a field, it is JSON', async () => {
      const union = (count: number): object => ({
        type: 'object',
        properties: {
          v: {
            oneOf: Array.from({ length: count }, (_, at) => ({ type: 'string', title: `${at}` })),
          },
        },
      });
      const form = await showUnion(union(20));
      expect((inside(form, 'select') as HTMLSelectElement).options).to.have.length(21);
      for (const schema of [
        union(21),
        { type: 'object', properties: { v: { oneOf: [{}, {}] } } },
      ]) {
        const json = await show(toolClient([{ ...GREET, inputSchema: schema }]), 'greet');
        await eventually(() => json.shadowRoot!.querySelector('textarea.code'));
      }
    });
  });

  it('lists tools with names of at most 1,000 characters', async () => {
    const named = (length: number): object => ({ ...NAMELESS, name: 'n'.repeat(length) });
    const form = await show(toolClient([named(1_000), named(1_001)]));
    await eventually(() => listed(form) === 1);
    expect(textOf(form, '[role=note]')).to.equal('Tools that cannot be shown: 1');
  });

  it('sends no value for which the changed tool has no field', async () => {
    const client = toolClient([GREET]);
    const form = await show(client, 'greet');
    type(input(form, 'who'), 'Ada');
    const properties = { whom: { type: 'string', maxLength: 50, title: 'New' } };
    client.change([{ ...GREET, inputSchema: { type: 'object', properties } }]);
    await eventually(() => form.shadowRoot!.textContent.includes('New'));
    const ended = resultOf(form);
    call(form);
    expect((await ended).arguments).to.deep.equal({});
  });

  it('goes on with a call of a tool that the server removes', async () => {
    let answer!: (result: { content: [] }) => void;
    const wait = (): Promise<{ content: [] }> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const client = toolClient([NAMELESS], wait);
    const form = await show(client, 'act');
    call(form);
    const isRead = new Promise<void>((resolve) => {
      client.listTools = () => {
        resolve();
        return Promise.resolve({ tools: [] });
      };
    });
    client.change([]);
    await isRead;
    await new Promise(requestAnimationFrame);
    expect(form.matches(':state(calling)')).to.equal(true);
    const ended = resultOf(form);
    answer({ content: [] });
    expect((await ended).result).to.deep.equal({ content: [] });
  });

  describe('shows of a result', () => {
    const resultFor = async (result: unknown): Promise<McpToolForm> => {
      const form = await show(
        toolClient([NAMELESS], () => Promise.resolve(result as never)),
        'act',
      );
      const ended = resultOf(form);
      call(form);
      await ended;
      return form;
    };
    const PNG =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

    it('texts as they are, images, links, embedded resources, and structured content', async () => {
      const form = await resultFor({
        content: [
          { type: 'text', text: '<img src=x onerror=alert(1)>' },
          { type: 'image', data: PNG, mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a/read.txt', text: 'Embedded.' } },
          { type: 'resource', resource: { uri: 'file:///a/data.bin', blob: 'AAAA' } },
        ],
        structuredContent: { a: 1 },
      });
      const image = await eventually(() => form.shadowRoot!.querySelector('img'));
      await image.decode();
      expect(image.src).to.match(/^blob:/);
      expect(textOf(form, '.block')).to.equal('<img src=x onerror=alert(1)>');
      expect(textOf(form, '.outcome')).to.contain('read.txt Embedded.');
      const download = await eventually(() => form.shadowRoot!.querySelector('a'));
      expect(download.download).to.equal('data.bin');
      expect(textOf(form, '.json')).to.equal('{ "a": 1 }');
      await expect(form).to.be.accessible();
    });

    it('50 parts at first, and the others when the user asks', async () => {
      const parts = (length: number): object[] =>
        Array.from({ length }, (_, index) => ({ type: 'text', text: `Part ${index}` }));
      const few = await resultFor({ content: parts(50) });
      expect(few.shadowRoot!.querySelectorAll('.block')).to.have.length(50);
      expect(few.shadowRoot!.querySelector('.more')).to.equal(null);
      const many = await resultFor({ content: parts(51) });
      expect(many.shadowRoot!.querySelectorAll('.block')).to.have.length(50);
      expect(textOf(many, '.more > span')).to.equal('Parts shown: 50 of 51');
      inside(many, '.more > button').click();
      await many.updateComplete;
      expect(many.shadowRoot!.querySelectorAll('.block')).to.have.length(51);
    });

    it('structured content once, if the text is the same', async () => {
      const structuredContent = { list: [1, 2] };
      const text = JSON.stringify(structuredContent);
      const form = await resultFor({ content: [{ type: 'text', text }], structuredContent });
      expect(form.shadowRoot!.querySelector('.block')).to.equal(null);
      expect(inside(form, 'details')).to.have.property('open', true);
    });

    it('1,000,000 characters of structured content, and says that there are more', async () => {
      for (const [length, isCut] of [
        [1_000_000, false],
        [1_000_001, true],
      ] as const) {
        const form = await resultFor({ content: [], structuredContent: 'x'.repeat(length - 2) });
        const words = textOf(form, '.structured');
        expect(words.includes('It is too long to be shown whole.')).to.equal(isCut);
      }
    });

    it('no document as a document', async () => {
      const blob = btoa('<script>alert(1)</script>');
      const resource = { uri: 'file:///a.html', mimeType: 'text/html', blob };
      const form = await resultFor({ content: [{ type: 'resource', resource }] });
      const { href } = await eventually(() => form.shadowRoot!.querySelector('a'));
      const { type: mimeType } = await (await fetch(href)).blob();
      expect(mimeType).to.equal('application/octet-stream');
    });

    it('a first part of a very long text, and more when the user asks', async () => {
      const text = 'word '.repeat(200_000);
      let form!: Awaited<ReturnType<typeof resultFor>>;
      const least = await leastTime(1_000, async () => {
        form = await resultFor({ content: [{ type: 'text', text }] });
      });
      expect(least).to.be.below(1_000);
      expect(textOf(form, '.more')).to.match(/^Characters shown: 16,256 of 1,000,000/);
      inside(form, '.more > button').click();
      await form.updateComplete;
      expect(textOf(form, '.more')).to.contain('48,768 of 1,000,000');
    });

    const HOSTILE: unknown[] = [
      undefined,
      null,
      7,
      [],
      {},
      { content: 7 },
      { content: manyHoles() },
      { content: [null, 7, [], { type: 'text', text: {} }, { type: 'image', data: '%%%' }] },
      { content: [{ type: 'resource' }, { type: 'resource_link', uri: 7 }, { type: 'new' }] },
      { content: [{ type: 'image', data: '!', mimeType: { _$litType$: 1 } }], isError: 'yes' },
      { content: [], structuredContent: manyHoles() },
      { content: [], structuredContent: 2n ** 70n },
    ];
    for (const [index, result] of HOSTILE.entries()) {
      it(`whatever a server calls a result (${index})`, async () => {
        const form = await resultFor(result);
        expect(textOf(form, '#outcome')).to.equal('The tool has answered.');
      });
    }
  });

  const HOSTILE_TOOLS: unknown[] = [
    [null, 7, {}, { name: 7 }, { name: '' }],
    manyHoles(),
    [{ name: 'a', title: {}, description: [], annotations: 7, inputSchema: 'x' }],
    [{ name: 'a', annotations: { readOnlyHint: 'yes' }, inputSchema: { $ref: '#' } }],
    [{ name: 'a', title: '‮'.repeat(10_000), inputSchema: { type: 'object' } }],
    Array.from({ length: 5_000 }, (_, index) => ({ name: `t${index}`, inputSchema: {} })),
  ];
  for (const [index, tools] of HOSTILE_TOOLS.entries()) {
    it(`stands whatever a server calls its tools (${index})`, async () => {
      const form = await show(toolClient(tools));
      await eventually(() => form.shadowRoot!.querySelector('[role=option], .message'));
      form.tool = 'a';
      await form.updateComplete;
    });
  }
});
