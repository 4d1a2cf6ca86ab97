import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient, Resource } from '@inpage-mcp/client';
import '@inpage-mcp/elements/define/mcp-resource-picker';
import type { McpResourcePicker } from '@inpage-mcp/elements';
import { sendKeys } from '@web/test-runner-commands';
import { eventually, inside } from '../support/elements.js';
import { listedClient, numbered } from '../support/listed-client.js';

const show = async (client: McpClient, budget?: number): Promise<McpResourcePicker> => {
  const form = await fixture<HTMLFormElement>(
    html`<form>
      <mcp-resource-picker name="uri" .client=${client} .budget=${budget}></mcp-resource-picker>
    </form>`,
  );
  return form.querySelector('mcp-resource-picker')!;
};
const all = (picker: McpResourcePicker, selector: string): HTMLElement[] => [
  ...picker.shadowRoot!.querySelectorAll<HTMLElement>(selector),
];
const textsOf = (picker: McpResourcePicker, selector: string): string[] =>
  all(picker, selector).map(({ textContent }) => textContent.trim());
const options = (picker: McpResourcePicker): string[] =>
  textsOf(picker, '[role=option] .one-line:first-child');
const isOpen = (picker: McpResourcePicker): boolean =>
  inside(picker, '.popup').classList.contains('open');
const setSize = (picker: McpResourcePicker): string | null | undefined =>
  picker.shadowRoot!.querySelector('[role=option]')?.getAttribute('aria-setsize');
const search = async (picker: McpResourcePicker, text: string): Promise<void> => {
  picker.focus();
  await sendKeys({ type: text });
};

/** Resources that are meant for models, of so many tokens each. */
const forModels = (count: number, tokens: number): Resource[] =>
  numbered(count, { size: tokens * 4, annotations: { audience: ['assistant'], priority: 0.5 } });

describe('the limits of a <mcp-resource-picker>', () => {
  const ofUnknownSize = numbered(1, { annotations: { audience: ['assistant' as const] } });
  for (const [what, resources, budget, included, leftOut] of [
    ['50 of 50', forModels(50, 1), 1_000, 50, 0],
    ['50 of 51', forModels(51, 1), 1_000, 50, 1],
    ['2 of 100 tokens in a budget of 200', forModels(2, 100), 200, 2, 0],
    ['1 of 100 tokens in a budget of 199', forModels(2, 100), 199, 1, 1],
    ['one of unknown size, for 1,000 tokens', ofUnknownSize, 1_000, 1, 0],
    ['none of unknown size, for 999 tokens', ofUnknownSize, 999, 0, 1],
    ['none of 20, and shows all of them', forModels(20, 1_000), 10, 0, 20],
    ['none of 21, and shows 20 of them', forModels(21, 1_000), 10, 0, 21],
  ] as const) {
    it(`include automatically ${what}`, async () => {
      const picker = await show(listedClient(resources), budget);
      await eventually(() => picker.value.length + all(picker, '.left-out').length > 0);
      expect(picker.automatic).to.have.length(included);
      const summary = leftOut > 0 ? [`Left out: ${leftOut}`] : [];
      expect(textsOf(picker, '.left-out summary')).to.deep.equal(summary);
      expect(textsOf(picker, '.left-out .title')).to.have.length(Math.min(leftOut, 20));
    });
  }

  for (const [tokens, isOver] of [
    [1_000, false],
    [1_001, true],
  ] as const) {
    it(`says ${isOver ? '' : 'not '}that ${tokens} tokens are more than 1,000`, async () => {
      const picker = await show(listedClient(numbered(1, { size: tokens * 4 })), 1_000);
      picker.value = ['a:0'];
      await eventually(() => textsOf(picker, '.chip .title').join() === '0');
      expect(all(picker, '.budget.over')).to.have.length(Number(isOver));
    });
  }

  it('searches all of 20,000 resources', async () => {
    const picker = await show(listedClient(numbered(20_000)));
    await search(picker, '19999');
    await eventually(() => options(picker).join() === '19999');
    expect(textsOf(picker, '.popup .remark')).to.deep.equal([]);
  });

  it('searches the first 20,000 of 20,001 resources, and says so', async () => {
    const picker = await show(listedClient(numbered(20_001)));
    picker.focus();
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => setSize(picker) === '20000');
    await eventually(() => all(picker, '.popup .remark').length === 1);
    expect(textsOf(picker, '.popup .remark')).to.deep.equal([
      'Only the first resources of the server are searched: 20,000',
    ]);
    await sendKeys({ type: '20000' });
    await eventually(() => textsOf(picker, '.popup .message').join() === 'No resource matches.');
  });

  const uris = (count: number): string[] => numbered(count).map(({ uri }) => uri);

  for (const [count, notes] of [
    [200, []],
    [201, ['More chosen resources: 1']],
  ] as const) {
    it(`shows 200 chips of ${count}`, async () => {
      const picker = await show(listedClient([]));
      picker.value = uris(count);
      await eventually(() => all(picker, '.chip').length > 0);
      expect(all(picker, '.chip')).to.have.length(200);
      expect(textsOf(picker, '.note:not([part])')).to.deep.equal(notes);
      expect(new FormData(picker.form!).getAll('uri')).to.have.length(count);
    });
  }

  for (const count of [10_000, 10_001]) {
    it(`keeps 10,000 of ${count} chosen uris`, async () => {
      const picker = await show(listedClient([]));
      picker.value = uris(count);
      expect(picker.value).to.have.length(10_000);
      expect(picker.value.at(-1)).to.equal('a:9999');
    });
  }

  const searchable = (answer: (uri: string, signal: AbortSignal) => unknown): McpClient =>
    listedClient([], {
      listResourceTemplates: async () => ({
        resourceTemplates: [{ uriTemplate: 's:find{?q}', name: 'search' }],
      }),
      readResource: async (uri: string, { signal }: { signal: AbortSignal }) =>
        await answer(uri, signal),
    });

  it('asks the server for two characters, and not for one', async () => {
    const asked: string[] = [];
    const picker = await show(searchable((uri) => (asked.push(uri), { contents: [] })));
    await search(picker, 'x');
    // The number of matches is announced later than the server would be asked.
    await eventually(() => inside(picker, '[role=status]').textContent === 'Matches: 0');
    expect(asked).to.deep.equal([]);
    await sendKeys({ type: 'y' });
    await eventually(() => asked.length > 0);
    expect(asked).to.deep.equal(['s:find?q=xy']);
  });

  for (const count of [50, 51]) {
    it(`shows 50 of ${count} results of the server`, async () => {
      const contents = numbered(count).map(({ uri }) => ({ uri, text: '' }));
      const picker = await show(searchable(() => ({ contents })));
      await search(picker, 'anything');
      await eventually(() => setSize(picker) === '50');
    });
  }

  it('inserts 80 characters of a longer title', async () => {
    const title = 'abcdefghi '.repeat(30).trim();
    const box = await fixture(
      html`<div>
        <textarea id="message" aria-label="Message"></textarea>
        <mcp-resource-picker
          for="message"
          .client=${listedClient([{ uri: 'a:1', name: 'a', title }])}
        ></mcp-resource-picker>
      </div>`,
    );
    const field = box.querySelector('textarea')!;
    const picker = box.querySelector('mcp-resource-picker')!;
    field.focus();
    await sendKeys({ type: '@abc' });
    await eventually(() => options(picker).length === 1);
    await sendKeys({ press: 'Enter' });
    expect(field.value).to.equal(`@${title.slice(0, 80)}… `);
  });
});

describe('what a <mcp-resource-picker> reports and takes', () => {
  it('announces the number of matches when the user rests', async () => {
    const picker = await show(listedClient(numbered(12)));
    await search(picker, '1');
    await eventually(() => inside(picker, '[role=status]').textContent === 'Matches: 3');
    await sendKeys({ press: 'Escape' });
    await eventually(() => inside(picker, '[role=status]').textContent === '');
  });

  it('closes and empties its search when the focus leaves', async () => {
    const picker = await show(listedClient(numbered(12)));
    const button = document.createElement('button');
    picker.after(button);
    await search(picker, '1');
    await eventually(() => isOpen(picker) && options(picker).length > 0);
    button.focus();
    await eventually(() => !isOpen(picker));
    expect((inside(picker, 'input') as HTMLInputElement).value).to.equal('');
  });

  it('fires an event that leaves shadow roots, of itself', async () => {
    const outside = await fixture<HTMLElement>(html`<div></div>`);
    const picker = await show(listedClient(numbered(1)));
    outside.attachShadow({ mode: 'open' }).append(picker);
    const seen: unknown[] = [];
    outside.addEventListener('mcp-resource-pick', (event) =>
      seen.push([event.target === outside, event.composedPath()[0] === picker, event.uris]),
    );
    await search(picker, '0');
    await eventually(() => options(picker).length === 1);
    await sendKeys({ press: 'Enter' });
    expect(seen).to.deep.equal([[true, true, ['a:0']]]);
  });

  it('fires nothing when the page sets the value', async () => {
    const picker = await show(listedClient(numbered(2)));
    picker.addEventListener('mcp-resource-pick', () => expect.fail('fired'));
    picker.value = ['a:0'];
    await picker.updateComplete;
    expect(picker.value).to.deep.equal(['a:0']);
  });

  it('removes a chip by a click, and keeps what is removed out of the form', async () => {
    const picker = await show(listedClient(numbered(2)));
    picker.value = ['a:0', 'a:1'];
    await eventually(() => all(picker, '.chip').length === 2);
    const reasons: string[] = [];
    picker.addEventListener('mcp-resource-pick', ({ reason }) => reasons.push(reason));
    all(picker, '.chip button')[0]!.click();
    expect(new FormData(picker.form!).getAll('uri')).to.deep.equal(['a:1']);
    expect(reasons).to.deep.equal(['user']);
  });

  it('adds what is left out by its button', async () => {
    const picker = await show(listedClient(forModels(1, 1_000)), 10);
    const button = await eventually(() =>
      picker.shadowRoot!.querySelector<HTMLElement>('.left-out button'),
    );
    inside(picker, 'details').toggleAttribute('open', true);
    button.click();
    await eventually(() => picker.value.join() === 'a:0');
    expect(picker.automatic).to.deep.equal([]);
  });

  it('includes again what the page resets', async () => {
    const picker = await show(listedClient(forModels(1, 10)), 100);
    await eventually(() => picker.automatic.length === 1);
    all(picker, '.chip button')[0]!.click();
    await eventually(() => picker.value.length === 0);
    picker.form!.reset();
    await eventually(() => picker.automatic.length === 1);
  });

  it('changes nothing while it is disabled', async () => {
    const box = await fixture(
      html`<div>
        <textarea id="message" aria-label="Message"></textarea>
        <mcp-resource-picker
          for="message"
          disabled
          value="a:0"
          .budget=${10}
          .client=${listedClient(forModels(2, 1_000))}
        ></mcp-resource-picker>
      </div>`,
    );
    const picker = box.querySelector('mcp-resource-picker')!;
    await eventually(() => all(picker, '.left-out').length === 1);
    const buttons = all(picker, 'button') as HTMLButtonElement[];
    expect(buttons).to.have.length(2);
    expect(buttons.every(({ disabled }) => disabled)).to.equal(true);
    box.querySelector('textarea')!.focus();
    await sendKeys({ type: '@' });
    await picker.updateComplete;
    expect(isOpen(picker)).to.equal(false);
    picker.disabled = false;
    await picker.updateComplete;
    await sendKeys({ type: ' @' });
    await eventually(() => isOpen(picker));
    picker.disabled = true;
    await eventually(() => !isOpen(picker));
    await expect(picker).to.be.accessible();
  });

  it('ends the search of the server when it leaves the page', async () => {
    let signal: AbortSignal | undefined;
    const client = listedClient(numbered(1), {
      listResourceTemplates: async () => ({
        resourceTemplates: [{ uriTemplate: 's:find{?q}', name: 'search' }],
      }),
      readResource: async (_uri: string, options: { signal: AbortSignal }) => {
        ({ signal } = options);
        return await new Promise(() => undefined);
      },
    });
    const picker = await show(client);
    await search(picker, 'text');
    await eventually(() => signal);
    picker.remove();
    expect(signal!.aborted).to.equal(true);
  });

  it('says that a resource is missing where the browser cannot', async () => {
    const form = await fixture<HTMLFormElement>(
      html`<form>
        <textarea id="message" aria-label="Message"></textarea>
        <mcp-resource-picker
          for="message"
          name="uri"
          required
          .client=${listedClient(numbered(1))}
        ></mcp-resource-picker>
      </form>`,
    );
    const picker = form.querySelector('mcp-resource-picker')!;
    await picker.updateComplete;
    expect(all(picker, '.missing')).to.have.length(0);
    form.requestSubmit();
    await eventually(() => textsOf(picker, '[role=alert]').join() !== '');
    expect(textsOf(picker, '[role=alert]')).to.deep.equal(['Choose at least one resource.']);
    await expect(picker).to.be.accessible();
    picker.value = ['a:0'];
    await eventually(() => all(picker, '[role=alert]').length === 0);
  });

  it('marks its search field as invalid after the form was checked', async () => {
    const picker = await show(listedClient(numbered(1)));
    picker.required = true;
    await picker.updateComplete;
    const input = inside(picker, 'input');
    expect(input.hasAttribute('aria-invalid')).to.equal(false);
    expect(picker.checkValidity()).to.equal(false);
    await eventually(() => input.getAttribute('aria-invalid') === 'true');
    await expect(picker).to.be.accessible();
    picker.form!.reset();
    await eventually(() => !input.hasAttribute('aria-invalid'));
  });
});
