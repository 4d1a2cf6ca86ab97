import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource } from '@inpage-mcp/client';
import { sendKeys } from '@web/test-runner-commands';
import '../../packages/elements/src/define/mcp-resource-picker.js';
import type { McpResourcePickEvent } from '../../packages/elements/src/choose/mcp-resource-picker/events.js';
import type { McpResourcePicker } from '../../packages/elements/src/choose/mcp-resource-picker/mcp-resource-picker.js';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastBlocking } from '../support/slowness.js';

type Answer = (options: { cursor?: string }) => unknown;

/** A client that checks nothing, with the resources that a test says. */
function clientOf(
  answer: Answer | readonly object[],
  more: object = {},
): { client: McpClient; notify(): void } {
  let listener = (): void => undefined;
  const listResources = typeof answer === 'function' ? answer : () => ({ resources: answer });
  const client = {
    state: 'open',
    watchState: () => undefined,
    watchList: (called: () => void) => (listener = called),
    listResourceTemplates: async () => ({ resourceTemplates: [] }),
    listResources: async (options: { cursor?: string }) => await listResources(options),
    ...more,
  };
  return { client: client as never, notify: () => listener() };
}

const PLAN: Resource = { uri: 'a:plan', name: 'plan', title: 'The plan', size: 4_000 };
const STYLE: Resource = { uri: 'a:style', name: 'style', title: 'House style', size: 8_000 };
const forModels = (resource: Resource, priority: number): Resource => ({
  ...resource,
  annotations: { audience: ['assistant'], priority },
});

const show = async (client?: McpClient, budget?: number): Promise<McpResourcePicker> => {
  const form = await fixture<HTMLFormElement>(
    html`<form>
      <mcp-resource-picker name="uri" .client=${client} .budget=${budget}></mcp-resource-picker>
    </form>`,
  );
  return form.querySelector('mcp-resource-picker') as McpResourcePicker;
};
const all = (picker: McpResourcePicker, selector: string): HTMLElement[] => [
  ...picker.shadowRoot!.querySelectorAll<HTMLElement>(selector),
];
const textsOf = (picker: McpResourcePicker, selector: string): string[] =>
  all(picker, selector).map(({ textContent }) => textContent.trim());
const options = (picker: McpResourcePicker): string[] =>
  textsOf(picker, '[role=option] .one-line:first-child');
const chips = (picker: McpResourcePicker): string[] => textsOf(picker, '.chip .title');
const focused = (picker: McpResourcePicker): Element => picker.shadowRoot!.activeElement!;
const entries = (picker: McpResourcePicker): FormDataEntryValue[] =>
  new FormData(picker.form!).getAll('uri');
const search = async (picker: McpResourcePicker, text: string): Promise<void> => {
  picker.focus();
  await sendKeys({ type: text });
};
const picks = (picker: McpResourcePicker): McpResourcePickEvent[] => {
  const events: McpResourcePickEvent[] = [];
  picker.addEventListener('mcp-resource-pick', (event) => events.push(event));
  return events;
};

describe('<mcp-resource-picker>, with the real server,', () => {
  const setup = useLinkedClient();

  it('finds a note by its title, and adds it with the keyboard', async () => {
    const { notes } = setup.linked.server.store;
    const { id } = await notes.create({ title: 'A plan', text: 'x'.repeat(800) });
    await notes.create({ title: 'Shopping', text: 'milk' });
    const picker = await show(setup.client);
    const events = picks(picker);
    await search(picker, 'pla');
    await eventually(() => options(picker).join() === 'A plan');
    await expect(picker).to.be.accessible();
    await sendKeys({ press: 'Enter' });
    await eventually(() => chips(picker).join() === 'A plan');
    expect(picker.value).to.deep.equal([`note:///${id}`]);
    expect(events.map(({ uris, reason }) => [uris, reason])).to.deep.equal([
      [[`note:///${id}`], 'user'],
    ]);
    expect(textsOf(picker, '.chip .tokens')[0]).to.equal('≈ 200 tokens');
    await expect(picker).to.be.accessible();
  });

  it('finds a note by its text, with the search of the server', async () => {
    const { notes } = setup.linked.server.store;
    await notes.create({ title: 'Shopping', text: 'Buy marmalade.\n\nSoon.' });
    await notes.create({ title: 'Garden', text: 'First line.\n\nThe marmalade tree.' });
    const picker = await show(setup.client);
    await search(picker, 'marmal');
    // The description of the first contains the word; only the server knows the second.
    await eventually(() => options(picker).toSorted().join() === 'Garden,Shopping');
  });

  it('suggests nothing that the search of another client has found', async () => {
    const { client } = clientOf([], {
      listResourceTemplates: async () => ({ resourceTemplates: [{ uriTemplate: 'a:s{?q}' }] }),
      readResource: async () => ({ contents: [{ uri: 'a:/private', text: 'plan' }] }),
    });
    const picker = await show(client);
    await search(picker, 'plan');
    await eventually(() => options(picker).join() === 'private');
    picker.client = clientOf([PLAN], {
      listResourceTemplates: () => new Promise(() => undefined),
    }).client;
    await eventually(() => options(picker).includes('The plan'));
    expect(options(picker)).to.deep.equal(['The plan']);
  });

  it('includes what is meant for the model, and follows the list', async () => {
    const { notes } = setup.linked.server.store;
    const picker = await show(setup.client, 1_000);
    const events = picks(picker);
    await notes.create({
      title: 'For models',
      text: 'text',
      audience: ['assistant'],
      priority: 0.5,
    } as never);
    await eventually(() => chips(picker).join() === 'For models');
    expect(events.at(-1)!.reason).to.equal('automatic');
    expect(events.at(-1)!.automatic).to.deep.equal(picker.value);
    await expect(picker).to.be.accessible();
  });
});

describe('<mcp-resource-picker>', () => {
  it('is a form field with one entry for each uri', async () => {
    const picker = await show(clientOf([PLAN]).client);
    picker.value = ['a:plan', 'b:unlisted', 'a:plan'];
    expect(entries(picker)).to.deep.equal(['a:plan', 'b:unlisted']);
    await eventually(() => chips(picker).join() === 'The plan,b:unlisted');
    picker.form!.reset();
    await picker.updateComplete;
    expect(entries(picker)).to.deep.equal([]);
  });

  it('starts with the uris of its attribute, and returns to them', async () => {
    const form = await fixture<HTMLFormElement>(
      html`<form><mcp-resource-picker name="uri" value="a:1 a:2"></mcp-resource-picker></form>`,
    );
    const picker = form.querySelector('mcp-resource-picker') as McpResourcePicker;
    expect(picker.value).to.deep.equal(['a:1', 'a:2']);
    picker.value = ['a:3'];
    form.reset();
    expect(picker.value).to.deep.equal(['a:1', 'a:2']);
  });

  it('is invalid without a resource if one is required', async () => {
    const picker = await show(clientOf([PLAN]).client);
    picker.required = true;
    await picker.updateComplete;
    expect(picker.form!.checkValidity()).to.equal(false);
    expect(picker.validationMessage).to.equal('Choose at least one resource.');
    picker.value = ['a:plan'];
    expect(picker.form!.checkValidity()).to.equal(true);
  });

  it('restores what the user chose and revoked', async () => {
    const resources = [forModels(PLAN, 1), STYLE];
    const picker = await show(clientOf(resources).client, 10_000);
    await eventually(() => picker.value.length === 1);
    picker.formStateRestoreCallback('{"chosen":["a:style"],"revoked":["a:plan"]}');
    await picker.updateComplete;
    expect(picker.value).to.deep.equal(['a:style']);
    picker.formStateRestoreCallback('{"chosen":7}');
    picker.formStateRestoreCallback('no JSON');
    picker.formStateRestoreCallback(new FormData());
    expect(picker.value).to.deep.equal(['a:style']);
  });

  it('takes its name from a label, and changes nothing while its fieldset is disabled', async () => {
    const { client } = clientOf([PLAN]);
    const fieldset = await fixture<HTMLFieldSetElement>(
      html`<fieldset>
        <label for="picker">Context</label>
        <mcp-resource-picker id="picker" .client=${client}></mcp-resource-picker>
      </fieldset>`,
    );
    const picker = fieldset.querySelector('mcp-resource-picker') as McpResourcePicker;
    await picker.updateComplete;
    expect(inside(picker, 'input').getAttribute('aria-label')).to.equal('Context');
    await expect(fieldset).to.be.accessible();
    fieldset.disabled = true;
    await picker.updateComplete;
    expect((inside(picker, 'input') as HTMLInputElement).disabled).to.equal(true);
  });

  it('opens, moves and closes with the keyboard', async () => {
    const picker = await show(clientOf([PLAN, STYLE]).client);
    picker.focus();
    const input = inside(picker, 'input');
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => options(picker).length === 2);
    expect(input.getAttribute('aria-expanded')).to.equal('true');
    expect(input.hasAttribute('aria-activedescendant')).to.equal(false);
    await sendKeys({ press: 'ArrowUp' });
    await picker.updateComplete;
    const active = input.getAttribute('aria-activedescendant')!;
    expect(inside(picker, `#${active}`).textContent).to.contain('House style');
    await sendKeys({ press: 'Enter' });
    await picker.updateComplete;
    expect(inside(picker, `#${active}`).getAttribute('aria-selected')).to.equal('true');
    await sendKeys({ press: 'Enter' });
    expect(picker.value).to.deep.equal([]);
    await sendKeys({ press: 'Escape' });
    await picker.updateComplete;
    expect(input.getAttribute('aria-expanded')).to.equal('false');
    expect(options(picker)).to.deep.equal([]);
  });

  it('does not submit the form with the Enter that chooses', async () => {
    const picker = await show(clientOf([PLAN]).client);
    let submits = 0;
    picker.form!.addEventListener('submit', (event) => {
      event.preventDefault();
      submits += 1;
    });
    await search(picker, 'plan');
    await eventually(() => options(picker).length === 1);
    await sendKeys({ press: 'Enter' });
    expect(picker.value).to.deep.equal(['a:plan']);
    expect(submits).to.equal(0);
  });

  it('removes chips with the keyboard, and keeps the focus among them', async () => {
    const picker = await show(clientOf([PLAN, STYLE]).client);
    picker.value = ['a:plan', 'a:style', 'a:third'];
    await eventually(() => chips(picker).length === 3);
    picker.focus();
    await sendKeys({ press: 'Backspace' });
    expect(focused(picker).getAttribute('aria-label')).to.equal('Remove a:third');
    await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ up: 'Shift' });
    expect(focused(picker).getAttribute('aria-label')).to.equal('Remove House style');
    await sendKeys({ press: 'Delete' });
    await eventually(() => focused(picker).getAttribute('aria-label') === 'Remove a:third');
    await sendKeys({ press: 'Backspace' });
    await eventually(() => focused(picker).getAttribute('aria-label') === 'Remove The plan');
    await sendKeys({ press: 'Backspace' });
    await eventually(() => focused(picker)?.localName === 'input');
    expect(picker.value).to.deep.equal([]);
  });

  it('removes no chip by a Backspace that is held', async () => {
    const picker = await show(clientOf([PLAN, STYLE]).client);
    picker.value = ['a:plan', 'a:style'];
    await eventually(() => chips(picker).length === 2);
    picker.focus();
    const hold = (): boolean =>
      focused(picker).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Backspace', repeat: true, bubbles: true }),
      );
    hold();
    expect(focused(picker).localName).to.equal('input');
    await sendKeys({ press: 'Backspace' });
    expect(focused(picker).getAttribute('aria-label')).to.equal('Remove House style');
    hold();
    expect(picker.value).to.deep.equal(['a:plan', 'a:style']);
  });

  it('includes by priority what fits into the budget, and shows what is left out first', async () => {
    const third = forModels({ uri: 'a:third', name: 'Third', size: 2_000 }, 0.1);
    const resources = [third, forModels(STYLE, 0.9), forModels(PLAN, 0.5)];
    const picker = await show(clientOf(resources).client, 3_100);
    await eventually(() => chips(picker).join() === 'House style,The plan');
    expect(textsOf(picker, '.chip .badge')).to.deep.equal([
      'automatic',
      'automatic, left out first',
    ]);
    expect(textsOf(picker, '.left-out .title')).to.deep.equal(['Third']);
    expect(textsOf(picker, '.budget > span')).to.deep.equal(['≈ 3,000 of 3,100 tokens']);
    await expect(picker).to.be.accessible();
    // What the user removes stays out, and makes room.
    all(picker, '.chip button')[0]!.click();
    await eventually(() => chips(picker).join() === 'The plan,Third');
    expect(picker.value).to.deep.equal(['a:plan', 'a:third']);
  });

  it('says that the choice is larger than the budget', async () => {
    const picker = await show(clientOf([PLAN, STYLE]).client, 1_000);
    picker.value = ['a:plan', 'a:style'];
    await eventually(() => picker.shadowRoot!.querySelector('.budget.over'));
    expect(textsOf(picker, '.budget > span')[0]).to.equal(
      '≈ 3,000 tokens: more than the budget of 1,000',
    );
    await expect(picker).to.be.accessible();
  });

  it('shows an error, and tries again', async () => {
    let fails = true;
    const { client } = clientOf(() => {
      if (fails) throw new Error('The disk is on fire.');
      return { resources: [PLAN] };
    });
    const picker = await show(client);
    await search(picker, 'plan');
    const alert = await eventually(() => picker.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The disk is on fire.');
    await expect(picker).to.be.accessible();
    fails = false;
    alert.querySelector('button')!.click();
    await eventually(() => options(picker).length === 1);
  });

  it('shows what it loads, that there is nothing, and that nothing matches', async () => {
    let answer!: (page: object) => void;
    const { client, notify } = clientOf(() => new Promise((resolve) => (answer = resolve)));
    const picker = await show(client);
    picker.focus();
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => picker.shadowRoot!.querySelector('[aria-busy]'));
    await expect(picker).to.be.accessible();
    answer({ resources: [] });
    const message = await eventually(() => picker.shadowRoot!.querySelector('.message'));
    expect(message.textContent).to.equal('The server has no resources.');
    notify();
    await eventually(() => (answer({ resources: [PLAN] }), options(picker).length === 1));
    await sendKeys({ type: 'nothing' });
    await eventually(() => textsOf(picker, '.message').join() === 'No resource matches.');
  });

  it('offers no button that cannot work after the connection has ended', async () => {
    const ended = { state: 'closed' };
    const { client } = clientOf(() => Promise.reject(new Error('closed')), ended);
    const picker = await show(client);
    await search(picker, 'x');
    const alert = await eventually(() => picker.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.querySelector('button')).to.equal(null);
    expect(picker.shadowRoot!.textContent).to.contain('The connection has ended.');
  });

  it('is fast with 10,000 resources', async () => {
    const resources = Array.from({ length: 10_000 }, (_, index) => ({
      uri: `a:${index}`,
      name: `Note ${index}`,
    }));
    const { client } = clientOf(({ cursor = '0' }) => ({
      resources: resources.slice(Number(cursor), Number(cursor) + 1_000),
      nextCursor: Number(cursor) < 9_000 ? String(Number(cursor) + 1_000) : undefined,
    }));
    const picker = await show(client);
    await search(picker, 'note');
    await eventually(
      () => inside(picker, '[role=option]').getAttribute('aria-setsize') === '10000',
    );
    expect(all(picker, '[role=option]').length).to.be.below(60);
    const narrow = async (): Promise<void> => {
      await sendKeys({ type: ' 9999' });
      await eventually(() => options(picker).join() === 'Note 9999');
      for (let key = 0; key < 5; key += 1) await sendKeys({ press: 'Backspace' });
      await eventually(() => options(picker).length > 1);
    };
    expect(await leastBlocking(100, narrow)).to.be.below(100);
  });
});

describe('<mcp-resource-picker for="…">', () => {
  const showWithField = async (
    client: McpClient,
  ): Promise<{ picker: McpResourcePicker; field: HTMLTextAreaElement }> => {
    const box = await fixture(
      html`<div>
        <mcp-resource-picker for="message" .client=${client}></mcp-resource-picker>
        <textarea id="message" aria-label="Message"></textarea>
      </div>`,
    );
    const field = box.querySelector('textarea')!;
    field.focus();
    const picker = box.querySelector('mcp-resource-picker') as McpResourcePicker;
    await picker.updateComplete;
    return { picker, field };
  };

  it('opens at @, and Enter inserts a mention and adds the resource', async () => {
    const { picker, field } = await showWithField(clientOf([PLAN, STYLE]).client);
    let enters = 0;
    field.addEventListener('keydown', ({ key }) => (enters += Number(key === 'Enter')));
    await sendKeys({ type: 'See @pl' });
    await eventually(() => options(picker).join() === 'The plan');
    expect(inside(picker, '#suggestions').clientHeight, 'in sight').to.be.above(20);
    await expect(picker).to.be.accessible();
    const popup = inside(picker, '.popup').getBoundingClientRect();
    const { top, bottom, left, width } = field.getBoundingClientRect();
    const distance = Math.min(Math.abs(popup.top - bottom), Math.abs(top - popup.bottom));
    expect(distance, 'at the field').to.be.within(1, 8);
    expect([popup.left, popup.width]).to.deep.equal([left, Math.max(width, 240)]);
    await sendKeys({ press: 'Enter' });
    expect(field.value).to.equal('See @The plan ');
    expect(picker.value).to.deep.equal(['a:plan']);
    expect(enters).to.equal(0);
    await eventually(() => chips(picker).join() === 'The plan');
    expect(options(picker)).to.deep.equal([]);
    await sendKeys({ type: 'and more' });
    expect(field.value).to.equal('See @The plan and more');
  });

  it('announces the active suggestion, as the focus stays in the field', async () => {
    const { picker } = await showWithField(clientOf([PLAN, STYLE]).client);
    await sendKeys({ type: '@' });
    await eventually(() => options(picker).length === 2);
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => inside(picker, '[role=status]').textContent === 'The plan, 1 of 2');
  });

  it('closes with Escape until another @, and where no sign is before the caret', async () => {
    const { picker, field } = await showWithField(clientOf([PLAN]).client);
    const isOpen = (): boolean => inside(picker, '.popup').classList.contains('open');
    await sendKeys({ type: '@' });
    await eventually(isOpen);
    await sendKeys({ press: 'Escape' });
    await sendKeys({ type: 'pl' });
    await picker.updateComplete;
    expect(isOpen()).to.equal(false);
    await sendKeys({ type: ' me@pl' });
    await picker.updateComplete;
    expect(isOpen()).to.equal(false);
    await sendKeys({ type: ' @pl' });
    await eventually(isOpen);
    field.setSelectionRange(0, 0);
    await eventually(() => !isOpen());
  });

  it('takes no key while characters are composed', async () => {
    const { picker, field } = await showWithField(clientOf([PLAN]).client);
    await sendKeys({ type: '@pl' });
    await eventually(() => options(picker).length === 1);
    field.dispatchEvent(new CompositionEvent('compositionstart'));
    const enter = new KeyboardEvent('keydown', {
      key: 'Enter',
      cancelable: true,
      isComposing: true,
    });
    field.dispatchEvent(enter);
    expect(enter.defaultPrevented).to.equal(false);
    expect(picker.value).to.deep.equal([]);
    field.dispatchEvent(new CompositionEvent('compositionend'));
    await sendKeys({ press: 'Enter' });
    expect(picker.value).to.deep.equal(['a:plan']);
  });

  it('leaves its field when it is removed', async () => {
    const { picker, field } = await showWithField(clientOf([PLAN]).client);
    picker.field = field;
    await picker.updateComplete;
    const listening = new Set<AbortSignal>();
    const listen = field.addEventListener;
    field.addEventListener = (...[type, listener, options]: Parameters<typeof listen>): void => {
      listen.call(field, type, listener, options);
      if (typeof options === 'object' && options.signal) listening.add(options.signal);
    };
    const areAll = (isEnded: boolean): boolean =>
      [...listening].every(({ aborted }) => aborted === isEnded);
    const parent = picker.parentElement!;
    picker.remove();
    picker.requestUpdate();
    await picker.updateComplete;
    expect(areAll(true)).to.equal(true);
    parent.append(picker);
    await picker.updateComplete;
    expect(listening.size).to.equal(1);
    expect(areAll(false)).to.equal(true);
  });

  it('finds a field that is added later', async () => {
    const { picker, field } = await showWithField(clientOf([PLAN]).client);
    field.remove();
    const input = document.createElement('input');
    input.id = 'message';
    picker.after(input);
    input.focus();
    // Firefox fires none in a window in the background, as those of tests are.
    if (!document.hasFocus()) input.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await picker.updateComplete;
    await sendKeys({ type: '@pl' });
    await eventually(() => options(picker).length === 1);
  });
});

describe('<mcp-resource-picker>, with a server that gets something wrong,', () => {
  const WRONG: unknown[] = [null, 7, {}, [], [[]], NaN, 'x'.repeat(1_000_000), { _$litType$: 1 }];

  it('shows what is right, whatever the rest is', async () => {
    const fields = ['title', 'description', 'mimeType', 'size', 'annotations', 'icons'];
    const wrong = fields.flatMap((field) =>
      WRONG.map((value, index) => ({ uri: `a:${field}${index}`, name: 'wrong', [field]: value })),
    );
    const hints = WRONG.map((value, index) => ({
      uri: `a:hint${index}`,
      name: 'wrong',
      annotations: { audience: value, priority: value },
    }));
    const good = forModels(PLAN, 1);
    const { client } = clientOf([...wrong, ...hints, good, null, { uri: 7 }] as never);
    const picker = await show(client, 5_000);
    await eventually(() => chips(picker).join() === 'The plan');
    await search(picker, 'plan');
    await eventually(() => options(picker).join() === 'The plan');
  });

  it('shortens names of a megabyte', async () => {
    const name = 'é'.repeat(1_000_000);
    const picker = await show(clientOf([{ uri: `a:${name}`, name }]).client);
    picker.value = [`a:${name}`];
    await eventually(() => chips(picker).length === 1);
    await search(picker, 'éé');
    await eventually(() => options(picker).length === 1);
    expect(options(picker)[0]!.length).to.be.below(300);
    expect(inside(picker, '.chip').title.length).to.be.below(300);
  });

  it('ends a list that never ends', async () => {
    const picker = await show(clientOf(() => ({ resources: [PLAN], nextCursor: 'again' })).client);
    await search(picker, 'plan');
    const alert = await eventually(() => picker.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('never end');
    expect(options(picker)).to.deep.equal(['The plan']);
  });

  it('finds what is loaded when the search of the server fails', async () => {
    const { client } = clientOf([PLAN], {
      listResourceTemplates: async () => ({ resourceTemplates: [null, { uriTemplate: 's:{?q}' }] }),
      readResource: async () => Promise.reject(new Error('no')),
    });
    const picker = await show(client);
    await search(picker, 'plan');
    await eventually(() => options(picker).join() === 'The plan');
  });
});
