import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Prompt } from '@inpage-mcp/client';
import { sendKeys } from '@web/test-runner-commands';
import '../../packages/elements/src/define/mcp-prompt-menu.js';
import type { McpPromptSubmitEvent } from '../../packages/elements/src/choose/mcp-prompt-menu/events.js';
import type { McpPromptMenu } from '../../packages/elements/src/choose/mcp-prompt-menu/mcp-prompt-menu.js';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

interface Answers {
  prompts: unknown;
  messages?: unknown;
}

/** A client that checks nothing, with the prompts and messages that a test says. */
function clientOf(
  answers: Answers,
  more: object = {},
): { client: McpClient; asked: unknown[]; notify: () => void } {
  let listener = (): void => undefined;
  const asked: unknown[] = [];
  const client = {
    state: 'open',
    serverCapabilities: { prompts: {} },
    watchState: () => undefined,
    watchPrompts: (called: () => void) => (listener = called),
    listPrompts: async () => await Promise.resolve({ prompts: answers.prompts }),
    getPrompt: async (name: string, args: object) => {
      asked.push([name, args]);
      return await Promise.resolve({ messages: answers.messages ?? [] });
    },
    ...more,
  };
  return { client: client as never, asked, notify: () => listener() };
}

const GREET: Prompt = {
  name: 'greet',
  title: 'Greet somebody',
  arguments: [{ name: 'who', title: 'Who', required: true }, { name: 'tone' }],
};
const PLAIN: Prompt = { name: 'plain', title: 'Plain', description: 'Without arguments.' };
const text = (words: unknown, role = 'user'): object => ({
  role,
  content: { type: 'text', text: words },
});
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const show = async (client: McpClient): Promise<McpPromptMenu> =>
  await fixture<McpPromptMenu>(html`<mcp-prompt-menu .client=${client}></mcp-prompt-menu>`);
const texts = (menu: McpPromptMenu, selector: string): string[] =>
  [...menu.shadowRoot!.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
const prompts = (menu: McpPromptMenu): string[] =>
  texts(menu, '#entries [role=option] .one-line:first-child');
const suggestions = (menu: McpPromptMenu): string[] => texts(menu, '#values [role=option]');
const labels = (menu: McpPromptMenu): string[] => texts(menu, 'label bdi');
const open = async (menu: McpPromptMenu, title: string): Promise<void> => {
  const option = await eventually(() =>
    [...menu.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')].find((one) =>
      one.textContent.includes(title),
    ),
  );
  option.click();
  await eventually(() => menu.shadowRoot!.querySelector('form'));
};
const preview = (menu: McpPromptMenu): void =>
  menu.shadowRoot!.querySelector<HTMLElement>('.actions button:nth-child(2)')!.click();
const submitted = (menu: McpPromptMenu): Promise<McpPromptSubmitEvent> =>
  new Promise((resolve) => menu.addEventListener('mcp-prompt-submit', resolve, { once: true }));

describe('<mcp-prompt-menu>, with the real server,', () => {
  const setup = useLinkedClient();

  it('leads from the list to the messages with the keyboard, with suggestions', async () => {
    const { id } = await setup.linked.server.store.notes.create({
      title: 'The plan',
      text: 'Do <b>it</b> all.',
    });
    const menu = await show(setup.client);
    await eventually(() => prompts(menu).length === 4);
    await expect(menu).to.be.accessible();
    menu.focus();
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await eventually(() => labels(menu).join() === 'note');
    expect(texts(menu, '.required')).to.deep.equal(['required']);
    await sendKeys({ type: 'pla' });
    await eventually(() => suggestions(menu).includes('The plan'));
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    preview(menu);
    await eventually(() => texts(menu, '.block').length === 2);
    expect(texts(menu, '.block .long-text')[1]).to.contain('Do <b>it</b> all.');
    expect(texts(menu, '.block > .facts')).to.deep.equal([`note:///${id}`]);
    await expect(menu).to.be.accessible();
    const event = submitted(menu);
    inside(menu, 'input').focus();
    await sendKeys({ press: 'Enter' });
    const { name, arguments: args, result } = await event;
    expect(name).to.equal('summarize_note');
    expect(args).to.deep.equal({ note: 'The plan' });
    expect(result.messages.length).to.equal(2);
    await eventually(() => prompts(menu).length === 4);
  });

  it('does not suggest the note that another argument has', async () => {
    const { notes } = setup.linked.server.store;
    await notes.create({ title: 'Plan A', text: '' });
    await notes.create({ title: 'Plan B', text: '' });
    const menu = await show(setup.client);
    await open(menu, 'Compare two notes');
    const [first, second] = [
      ...menu.shadowRoot!.querySelectorAll<HTMLInputElement>('.field input'),
    ];
    first!.focus();
    await sendKeys({ type: 'Plan A' });
    second!.focus();
    await sendKeys({ type: 'Plan' });
    await eventually(() => suggestions(menu).join() === 'Plan B');
  });

  it('shows the reason if the server refuses the arguments', async () => {
    const menu = await show(setup.client);
    await open(menu, 'Summarize a note');
    inside(menu, '.field input').focus();
    await sendKeys({ type: 'missing' });
    preview(menu);
    const alert = await eventually(() => menu.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('There is no note');
    await expect(menu).to.be.accessible();
  });
});

describe('<mcp-prompt-menu>', () => {
  it('shows a prompt without arguments at once', async () => {
    const { client } = clientOf({ prompts: [PLAIN], messages: [text('Hello.', 'assistant')] });
    const menu = await show(client);
    await open(menu, 'Plain');
    await eventually(() => texts(menu, '.block .long-text').join() === 'Hello.');
    expect(texts(menu, '.from strong')).to.deep.equal(['Assistant']);
    expect(texts(menu, '.preview [role=status]')).to.deep.equal([
      'What the model gets. Messages: 1',
    ]);
  });

  it('asks for the required arguments first, and sends those that are filled in', async () => {
    const { client, asked } = clientOf({ prompts: [GREET], messages: [text('Hello.')] });
    const menu = await show(client);
    await open(menu, 'Greet somebody');
    inside(menu, 'button.primary').click();
    await eventually(() => menu.shadowRoot!.activeElement?.getAttribute('name') === 'who');
    expect(texts(menu, '.problem')).to.deep.equal(['A value is needed.']);
    await expect(menu).to.be.accessible();
    expect(asked).to.deep.equal([]);
    await sendKeys({ type: 'Ada' });
    const event = submitted(menu);
    await sendKeys({ press: 'Enter' });
    expect((await event).arguments).to.deep.equal({ who: 'Ada' });
    expect(asked).to.deep.equal([['greet', { who: 'Ada' }]]);
  });

  it('drops what it shows, and an answer that comes too late, when an argument changes', async () => {
    const answers: ((words: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { client } = clientOf(
      { prompts: [GREET] },
      {
        getPrompt: (_name: string, _args: object, { signal }: { signal: AbortSignal }) => {
          signals.push(signal);
          return new Promise((resolve) =>
            answers.push((words) => resolve({ messages: [text(words)] })),
          );
        },
      },
    );
    const menu = await show(client);
    await open(menu, 'Greet somebody');
    inside(menu, '.field input').focus();
    await sendKeys({ type: 'A' });
    preview(menu);
    await eventually(() => menu.shadowRoot!.querySelector('[aria-busy]'));
    await expect(menu).to.be.accessible();
    await sendKeys({ type: 'd' });
    expect(signals[0]!.aborted).to.equal(true);
    await menu.updateComplete;
    preview(menu);
    await eventually(() => answers.length === 2);
    answers[0]!('late');
    answers[1]!('right');
    await eventually(() => texts(menu, '.block .long-text').join() === 'right');
    await sendKeys({ type: 'a' });
    await eventually(() => texts(menu, '.block').length === 0);
  });

  it('follows the list of the prompts, and keeps what the user has filled in', async () => {
    const answers: Answers = { prompts: [GREET] };
    const { client, notify } = clientOf(answers);
    const menu = await show(client);
    await eventually(() => prompts(menu).length === 1);
    answers.prompts = [PLAIN, GREET];
    notify();
    await eventually(() => prompts(menu).join() === 'Plain,Greet somebody');
    await open(menu, 'Greet somebody');
    inside(menu, '.field input').focus();
    await sendKeys({ type: 'Ada' });
    answers.prompts = [{ ...GREET, arguments: [{ name: 'who' }, { name: 'why' }] }];
    notify();
    await eventually(() => labels(menu).join() === 'who,why');
    expect((inside(menu, '.field input') as HTMLInputElement).value).to.equal('Ada');
  });

  it('shows nothing of another server', async () => {
    const answers: Answers = { prompts: [GREET, PLAIN], messages: [text('Of the first server.')] };
    const menu = await show(clientOf(answers).client);
    await open(menu, 'Plain');
    await eventually(() => texts(menu, '.block').length === 1);
    // It has a prompt with the same name, but of its own.
    const other = clientOf({ prompts: [PLAIN], messages: [text('Of the second server.')] });
    menu.client = other.client;
    await menu.updateComplete;
    expect(texts(menu, '.block')).to.deep.equal([]);
    await eventually(() => !inside(menu, 'button.primary').matches(':disabled'));
    const event = submitted(menu);
    inside(menu, 'button.primary').click();
    expect((await event).result.messages).to.deep.equal([text('Of the second server.')]);
    expect(other.asked).to.deep.equal([['plain', {}]]);
  });

  it('goes back to the list of a server that does not have the prompt', async () => {
    const menu = await show(clientOf({ prompts: [GREET] }).client);
    await open(menu, 'Greet somebody');
    menu.client = clientOf({ prompts: [PLAIN] }).client;
    await eventually(() => prompts(menu).join() === 'Plain');
    expect(menu.shadowRoot!.querySelector('form')).to.equal(null);
  });

  it('keeps what is filled in when it is moved in its page', async () => {
    const menu = await show(clientOf({ prompts: [GREET] }).client);
    await open(menu, 'Greet somebody');
    inside(menu, '.field input').focus();
    await sendKeys({ type: 'Ada' });
    const place = menu.parentElement!;
    menu.remove();
    place.append(menu);
    await menu.updateComplete;
    await eventually(() => menu.shadowRoot!.querySelector('form'));
    expect((inside(menu, '.field input') as HTMLInputElement).value).to.equal('Ada');
  });

  it('keeps what is filled in for a prompt when the user comes back to it', async () => {
    const { client } = clientOf({ prompts: [GREET, PLAIN], messages: [text('Hello.')] });
    const menu = await show(client);
    await open(menu, 'Greet somebody');
    await eventually(() => menu.shadowRoot!.activeElement);
    await sendKeys({ type: 'Ada' });
    inside(menu, '.back').click();
    await open(menu, 'Plain');
    inside(menu, '.back').click();
    await open(menu, 'Greet somebody');
    expect((inside(menu, '.field input') as HTMLInputElement).value).to.equal('Ada');
    const event = submitted(menu);
    inside(menu, 'button.primary').click();
    await event;
    await open(menu, 'Greet somebody');
    expect((inside(menu, '.field input') as HTMLInputElement).value, 'used').to.equal('');
  });

  it('drops what it shows when the server takes an argument away', async () => {
    const answers: Answers = { prompts: [GREET], messages: [text('Hello.')] };
    const { client, notify } = clientOf(answers);
    const menu = await show(client);
    await open(menu, 'Greet somebody');
    inside(menu, '.field input').focus();
    await sendKeys({ type: 'Ada' });
    preview(menu);
    await eventually(() => texts(menu, '.block').length === 1);
    answers.prompts = [{ ...GREET, description: 'Another text.' }];
    notify();
    await eventually(() => texts(menu, '.about').join() === 'Another text.');
    expect(texts(menu, '.block')).to.have.length(1);
    answers.prompts = [{ ...GREET, arguments: [{ name: 'why' }] }];
    notify();
    await eventually(() => labels(menu).join() === 'why');
    await eventually(() => texts(menu, '.block').length === 0);
  });

  it('asks for suggestions with the other arguments, and only a server that has them', async () => {
    const asked: unknown[] = [];
    const complete = (...args: readonly unknown[]): Promise<object> => {
      asked.push(args.slice(0, 2), (args[2] as { context: unknown }).context);
      return Promise.resolve({ values: ['Ada', 'Adam'] });
    };
    const capabilities: { prompts: object; completions?: object } = { prompts: {} };
    const { client } = clientOf(
      { prompts: [GREET] },
      { complete, serverCapabilities: capabilities },
    );
    const menu = await show(client);
    await open(menu, 'Greet somebody');
    const tone = inside(menu, '[name=tone]') as HTMLInputElement;
    tone.focus();
    await sendKeys({ type: 'kind' });
    await sendKeys({ press: 'ArrowDown' });
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).to.deep.equal([]);
    capabilities.completions = {};
    inside(menu, '[name=who]').focus();
    await sendKeys({ type: 'Ad' });
    await eventually(() => suggestions(menu).join() === 'Ada,Adam');
    // It asks for “A”, too, where the second key comes late.
    await eventually(() => JSON.stringify(asked).includes('"Ad"'));
    expect(asked.slice(-2)).to.deep.equal([
      [
        { type: 'ref/prompt', name: 'greet' },
        { name: 'who', value: 'Ad' },
      ],
      { tone: 'kind' },
    ]);
  });

  it('loads, shows an error, tries again, and says that there is nothing', async () => {
    let answer!: (answer: unknown) => void;
    const listPrompts = (): Promise<unknown> => new Promise((resolve) => (answer = resolve));
    const menu = await show(clientOf({ prompts: [] }, { listPrompts }).client);
    expect(inside(menu, '[aria-busy]')).to.be.instanceOf(HTMLElement);
    answer(Promise.reject(new Error('The disk is on fire.')));
    const alert = await eventually(() => menu.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The disk is on fire.');
    await expect(menu).to.be.accessible();
    alert.querySelector('button')!.click();
    await eventually(() => {
      answer({ prompts: [] });
      return texts(menu, '.message').join() === 'The server has no prompts.';
    });
  });

  it('has no button that works after the connection has ended', async () => {
    const menu = await show(clientOf({ prompts: [GREET] }, { state: 'closed' }).client);
    await open(menu, 'Greet somebody');
    const buttons = [...menu.shadowRoot!.querySelectorAll<HTMLButtonElement>('.actions button')];
    expect(buttons.map(({ disabled }) => disabled)).to.deep.equal([true, true]);
    expect(menu.shadowRoot!.textContent).to.contain('The connection has ended.');
  });
});

describe('<mcp-prompt-menu for="…">', () => {
  const showWithField = async (
    client: McpClient,
  ): Promise<{ menu: McpPromptMenu; field: HTMLTextAreaElement }> => {
    const box = await fixture(
      html`<div>
        <mcp-prompt-menu for="message" .client=${client}></mcp-prompt-menu>
        <textarea id="message" aria-label="Message"></textarea>
      </div>`,
    );
    const field = box.querySelector('textarea')!;
    field.focus();
    const menu = box.querySelector('mcp-prompt-menu') as McpPromptMenu;
    await menu.updateComplete;
    return { menu, field };
  };

  it('opens at / at the start, chooses with Enter, and removes the command', async () => {
    const { menu, field } = await showWithField(clientOf({ prompts: [PLAIN, GREET] }).client);
    expect(prompts(menu)).to.deep.equal([]);
    await sendKeys({ type: '/gre' });
    await eventually(() => prompts(menu).join() === 'Greet somebody');
    expect(inside(menu, '#entries').clientHeight, 'in sight').to.be.above(20);
    await expect(menu).to.be.accessible();
    await sendKeys({ press: 'Enter' });
    expect(field.value).to.equal('');
    await eventually(() => menu.shadowRoot!.activeElement?.getAttribute('name') === 'who');
    inside(menu, '.back').click();
    await eventually(() => document.activeElement === field);
  });

  it('announces the active prompt, and closes with Escape', async () => {
    const { menu, field } = await showWithField(clientOf({ prompts: [PLAIN, GREET] }).client);
    await sendKeys({ type: '/' });
    await eventually(() => prompts(menu).length === 2);
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => texts(menu, '[role=status]').includes('Plain, 1 of 2'));
    await sendKeys({ press: 'Escape' });
    await eventually(() => prompts(menu).length === 0);
    await sendKeys({ type: 'x' });
    await menu.updateComplete;
    expect(prompts(menu)).to.deep.equal([]);
    expect(field.value).to.equal('/x');
  });

  it('does not open where / is not at the start', async () => {
    const { menu, field } = await showWithField(clientOf({ prompts: [PLAIN] }).client);
    await sendKeys({ type: 'a /' });
    await menu.updateComplete;
    expect(inside(menu, '.popup.commands').classList.contains('open')).to.equal(false);
    field.value += 'b'.repeat(249);
    await sendKeys({ type: 'b' });
    await menu.updateComplete;
    expect(inside(menu, '.popup.commands').classList.contains('open')).to.equal(false);
  });
});

describe('<mcp-prompt-menu>, with a server that gets something wrong,', () => {
  const WRONG: unknown[] = [null, 7, {}, [], NaN, { _$litType$: 1 }, 'x'.repeat(1_000_000)];

  afterEach(() => expect(globalThis).not.to.have.property('broken'));

  it('shows the prompts that are right, whatever the rest is', async () => {
    const wrong = ['name', 'title', 'description', 'arguments'].flatMap((field) =>
      WRONG.map((value, index) => ({ name: `${field}${index}`, [field]: value })),
    );
    const inner = WRONG.map((value, index) => ({
      name: `inner${index}`,
      arguments: [value, { name: value, title: value, required: value }, { name: 'good' }],
    }));
    const { client } = clientOf({ prompts: [...wrong, ...inner, null, GREET] });
    const menu = await show(client);
    await eventually(() => prompts(menu).length > 0);
    menu.focus();
    await sendKeys({ type: 'greet' });
    await eventually(() => prompts(menu).join() === 'Greet somebody');
  });

  it('shows messages as text, and runs and loads nothing of them', async () => {
    const resource = (contents: object): object => ({
      role: 'user',
      content: { type: 'resource', resource: { uri: 'a:b', ...contents } },
    });
    const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.broken=1"/>');
    const media = (mimeType: string, data: string, type = 'image'): object => ({
      role: 'user',
      content: { type, mimeType, data },
    });
    const messages = [
      text('<img src=x onerror="globalThis.broken=1">[x](javascript:alert(1))'),
      resource({ mimeType: 'text/html', text: '<script>globalThis.broken = 1</script>' }),
      media('image/png', PNG),
      media('image/png', 'no base64!'),
      media('image/svg+xml', svg),
      media('audio/wav', 'AAAA', 'audio'),
      media('audio/wav,text/html', 'AAAA', 'audio'),
      media('audio/x+xml', 'AAAA', 'audio'),
      resource({ mimeType: 'application/pdf', blob: 'AAAA' }),
      {
        role: 'user',
        content: { type: 'resource_link', uri: 'javascript:alert(1)', name: 'Link' },
      },
      { role: 'system', content: { type: 'text', text: 'Not a role.' } },
      ...WRONG.map((value) => text(value)),
      ...WRONG,
    ];
    const menu = await show(clientOf({ prompts: [PLAIN], messages }).client);
    await open(menu, 'Plain');
    const image = await eventually(() => menu.shadowRoot!.querySelector<HTMLImageElement>('img'));
    expect(image.src).to.match(/^blob:/);
    await eventually(() =>
      texts(menu, '.file').some((one) => one.includes('Its bytes cannot be read.')),
    );
    expect(texts(menu, '.block .long-text')[0]).to.contain('<img src=x');
    const files = texts(menu, '.file');
    expect(files.filter((one) => one.includes('image/svg+xml'))).to.have.length(1);
    expect(files.some((one) => one.startsWith('Link'))).to.equal(true);
    expect(menu.shadowRoot!.querySelectorAll('script, iframe, svg svg')).to.have.length(0);
    // The sound cannot be played.
    await eventually(() => menu.shadowRoot!.querySelectorAll('a').length === 5);
    for (const { href } of menu.shadowRoot!.querySelectorAll('a')) {
      const { type } = await (await fetch(href)).blob();
      expect(type).to.equal('application/octet-stream');
    }
    expect(texts(menu, '.preview .facts').at(-1)).to.equal('Messages that cannot be shown: 14');
    await expect(menu).to.be.accessible();
  });

  it('shows the start of a long text, and more of it at a click', async () => {
    const long = 'word '.repeat(400_000);
    const { client } = clientOf({ prompts: [PLAIN], messages: [text(long)] });
    const menu = await show(client);
    await open(menu, 'Plain');
    const shown = await eventually(() => texts(menu, '.block .long-text')[0]);
    expect(shown.length).to.be.below(17_000);
    expect(texts(menu, '.from span')).to.deep.equal(['≈ 500,000 tokens']);
    inside(menu, '.block .more button').click();
    await eventually(() => texts(menu, '.block .long-text')[0]!.length > 2 * shown.length);
  });

  it('shows 50 of very many messages', async () => {
    const messages = Array.from({ length: 5_000 }, (_, index) => text(`Message ${index}`));
    const menu = await show(clientOf({ prompts: [PLAIN], messages }).client);
    await open(menu, 'Plain');
    await eventually(() => texts(menu, '.block').length === 50);
    expect(texts(menu, '.preview > .facts')).to.deep.equal([
      'What the model gets. Messages: 5,000',
    ]);
    expect(texts(menu, '.more > span')).to.deep.equal(['Parts shown: 50 of 5,000']);
  });

  it('says so if nothing of a prompt can be shown', async () => {
    const menu = await show(clientOf({ prompts: [PLAIN], messages: [null] }).client);
    await open(menu, 'Plain');
    const alert = await eventually(() => menu.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('nothing that can be shown');
  });

  it('frees its images when it leaves the page', async () => {
    const image = { role: 'user', content: { type: 'image', mimeType: 'image/png', data: PNG } };
    const menu = await show(clientOf({ prompts: [PLAIN], messages: [image] }).client);
    await open(menu, 'Plain');
    const { src } = await eventually(() => menu.shadowRoot!.querySelector('img'));
    expect((await fetch(src)).ok).to.equal(true);
    menu.remove();
    expect(await fetch(src).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });
});
