import { expect, fixture, html } from '@open-wc/testing';
import type { CompleteOptions, McpClient, ResourceTemplate } from '@inpage-mcp/client';
import { sendKeys } from '@web/test-runner-commands';
import '../../packages/elements/src/define/mcp-template-form.js';
import type { McpTemplateSubmitEvent } from '../../packages/elements/src/choose/mcp-template-form/events.js';
import type { McpTemplateForm } from '../../packages/elements/src/choose/mcp-template-form/mcp-template-form.js';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

/** A client that checks nothing, with the templates that a test says. */
function clientOf(
  answer: readonly unknown[] | (() => unknown),
  complete?: (...args: Parameters<McpClient['complete']>) => unknown,
): McpClient {
  const client = {
    state: 'open',
    serverCapabilities: { resources: {}, ...(complete && { completions: {} }) },
    watchState: () => undefined,
    watchList: () => undefined,
    complete,
    listResourceTemplates: async () =>
      typeof answer === 'function' ? await answer() : { resourceTemplates: answer },
  };
  return client as never;
}

const NOTE: ResourceTemplate = { uriTemplate: 'note:///{id}', name: 'note', title: 'A note' };
const FILES: ResourceTemplate = { uriTemplate: 'repo://{owner}{/path*}{?ref}', name: 'files' };

const show = async (client: McpClient): Promise<McpTemplateForm> =>
  await fixture<McpTemplateForm>(html`<mcp-template-form .client=${client}></mcp-template-form>`);
const texts = (form: McpTemplateForm, selector: string): string[] =>
  [...form.shadowRoot!.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
const templates = (form: McpTemplateForm): string[] =>
  texts(form, '#entries [role=option] .one-line:first-child');
const suggestions = (form: McpTemplateForm): string[] => texts(form, '#values [role=option]');
const labels = (form: McpTemplateForm): string[] => texts(form, 'label bdi');
const fieldOf = (form: McpTemplateForm, name: string): HTMLInputElement =>
  inside(form, `[name="${name}"]`) as HTMLInputElement;
const type = async (form: McpTemplateForm, name: string, text: string): Promise<void> => {
  fieldOf(form, name).focus();
  await sendKeys({ type: text });
};

describe('<mcp-template-form>, with the real server,', () => {
  const setup = useLinkedClient();

  it('leads from the list of templates to the address of a note, with the keyboard', async () => {
    const { id } = await setup.linked.server.store.notes.create({ title: 'A plan', text: '' });
    const form = await show(setup.client);
    await eventually(() => templates(form).length >= 4);
    await expect(form).to.be.accessible();
    const index = texts(form, '#entries .details').indexOf('note:///{id}');
    form.focus();
    for (let count = 0; count <= index; count += 1) await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await eventually(() => labels(form).join() === 'id');
    await sendKeys({ type: 'plan' });
    // The server completes titles to ids.
    await eventually(() => suggestions(form).join() === id);
    await expect(form).to.be.accessible();
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await form.updateComplete;
    expect(form.uri).to.equal(`note:///${id}`);
    expect(inside(form, 'output').textContent).to.equal(`note:///${id}`);
    const submitted = new Promise<McpTemplateSubmitEvent>((resolve) => {
      form.addEventListener('mcp-template-submit', resolve);
    });
    await sendKeys({ press: 'Enter' });
    const { uri, template, cancelable } = await submitted;
    expect([uri, template.uriTemplate, cancelable]).to.deep.equal([
      `note:///${id}`,
      'note:///{id}',
      true,
    ]);
  });

  it('completes the paths of files', async () => {
    await setup.linked.server.store.files.write('photos/summer.png', new Blob(['x']));
    const form = await show(setup.client);
    form.template = 'file:///{+path}';
    await form.updateComplete;
    await type(form, 'path', 'photos/s');
    await eventually(() => suggestions(form).includes('photos/summer.png'));
  });
});

describe('<mcp-template-form>', () => {
  it('shows the fields at once if the server has only one template', async () => {
    const form = await show(clientOf([NOTE]));
    await eventually(() => labels(form).join() === 'id');
    expect(form.shadowRoot!.querySelector('.back')).to.equal(null);
    await expect(form).to.be.accessible();
  });

  it('goes back to the list, and keeps the focus', async () => {
    const form = await show(clientOf([NOTE, FILES]));
    await eventually(() => templates(form).join() === 'A note,files');
    inside(form, '[role=option]').click();
    await eventually(() => form.shadowRoot!.activeElement?.getAttribute('name') === 'id');
    inside(form, '.back').click();
    await eventually(() => form.shadowRoot!.activeElement?.getAttribute('role') === 'combobox');
    expect(templates(form)).to.deep.equal(['A note', 'files']);
  });

  it('keeps what is typed for each template while the user looks at others', async () => {
    const form = await show(clientOf([NOTE, FILES]));
    const choose = async (index: number, name: string): Promise<void> => {
      await eventually(() => templates(form).length === 2);
      form.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')[index]!.click();
      await eventually(() => labels(form).includes(name));
    };
    const back = (): void => inside(form, '.back').click();
    await choose(0, 'id');
    await type(form, 'id', '42');
    back();
    await choose(1, 'owner');
    await type(form, 'owner', 'me');
    back();
    await choose(0, 'id');
    expect(form.values).to.deep.equal({ id: '42' });
    expect(fieldOf(form, 'id').value).to.equal('42');
    back();
    await choose(1, 'owner');
    expect(form.values).to.deep.equal({ owner: 'me' });
    back();
    form.client = clientOf([NOTE, { ...FILES, name: 'other' }]);
    await eventually(() => templates(form).includes('other'));
    await choose(0, 'id');
    expect(form.values, 'of another server').to.deep.equal({});
  });

  it('stays when the server adds a template, and offers the way to it', async () => {
    const listeners: (() => void)[] = [];
    let templates = [NOTE];
    const client = {
      ...clientOf(() => ({ resourceTemplates: templates })),
      watchList: (listener: () => void) => listeners.push(listener),
    };
    const form = await show(client as never);
    await eventually(() => labels(form).join() === 'id');
    await type(form, 'id', '42');
    templates = [NOTE, FILES];
    for (const listener of listeners) listener();
    await eventually(() => form.shadowRoot!.querySelector('.back'));
    expect(fieldOf(form, 'id').value).to.equal('42');
    expectFocus(form, fieldOf(form, 'id'));
  });

  it('shows the only template of another server', async () => {
    const form = await show(clientOf([NOTE]));
    await eventually(() => labels(form).join() === 'id');
    form.client = clientOf([FILES]);
    await eventually(() => labels(form).join() === 'owner,path,ref');
    expect(form.shadowRoot!.querySelector('.back')).to.equal(null);
  });

  it('keeps what is typed when it is moved in its page', async () => {
    const form = await show(clientOf([NOTE]));
    await eventually(() => labels(form).length === 1);
    await type(form, 'id', '42');
    const place = document.createElement('div');
    form.parentElement!.append(place);
    place.append(form);
    await eventually(() => labels(form).length === 1);
    expect(fieldOf(form, 'id').value).to.equal('42');
  });

  it('expands lists, and leaves out what is not filled in', async () => {
    const form = await show(clientOf([]));
    form.template = FILES.uriTemplate;
    await form.updateComplete;
    expect(form.uri).to.equal(undefined);
    await type(form, 'owner', 'a b');
    await type(form, 'path', 'docs\nimages & more\n');
    await form.updateComplete;
    expect(form.uri).to.equal('repo://a%20b/docs/images%20%26%20more');
    form.values = { owner: 'me', ref: 'main' };
    await form.updateComplete;
    expect(form.uri).to.equal('repo://me?ref=main');
    expect(fieldOf(form, 'ref').value).to.equal('main');
  });

  it('shows at the field what is missing, and goes there', async () => {
    const form = await show(clientOf([FILES]));
    const button = await eventually(() =>
      form.shadowRoot!.querySelector<HTMLElement>('button.primary'),
    );
    let submits = 0;
    form.addEventListener('mcp-template-submit', () => (submits += 1));
    button.click();
    await eventually(() => form.shadowRoot!.activeElement?.getAttribute('name') === 'owner');
    expect(texts(form, '.problem')).to.deep.equal(['A value is needed.']);
    expect(fieldOf(form, 'owner').getAttribute('aria-invalid')).to.equal('true');
    await expect(form).to.be.accessible();
    expect(submits).to.equal(0);
    await sendKeys({ type: 'me' });
    await form.updateComplete;
    expect(texts(form, '.problem')).to.deep.equal([]);
    expect(form.submit()).to.equal(true);
    expect(submits).to.equal(1);
  });

  it('sets the uri of another element, unless the event is cancelled', async () => {
    const box = await fixture(
      html`<div>
        <mcp-template-form for="view" template="a:{id}" .values=${{ id: '1' }}></mcp-template-form>
        <div id="view"></div>
      </div>`,
    );
    const form = box.querySelector('mcp-template-form') as McpTemplateForm;
    const view = box.querySelector('#view') as HTMLElement & { uri?: string };
    await form.updateComplete;
    form.addEventListener('mcp-template-submit', (event) => event.preventDefault(), { once: true });
    form.submit();
    expect(view.uri).to.equal(undefined);
    form.submit();
    expect(view.uri).to.equal('a:1');
  });

  it('asks the server when the user rests, with the other values, and drops what is late', async () => {
    const asked: { name: string; value: string; options: CompleteOptions | undefined }[] = [];
    const answers: ((values: string[]) => void)[] = [];
    const form = await show(
      clientOf([FILES], (_ref, { name, value }, options) => {
        asked.push({ name, value, options });
        return new Promise((resolve) => answers.push((values) => resolve({ values })));
      }),
    );
    await eventually(() => labels(form).length === 3);
    form.values = { ref: 'main' };
    await form.updateComplete;
    await type(form, 'owner', 'an');
    await eventually(() => asked.length === 1);
    expect(asked[0]!.options?.context).to.deep.equal({ ref: 'main' });
    await sendKeys({ type: 'na' });
    // On a busy machine, the user seems to rest between two keys.
    await eventually(() => asked.at(-1)!.value === 'anna');
    expect(asked[0]!.options?.signal?.aborted).to.equal(true);
    expect(asked.at(-1)).to.deep.include({ name: 'owner', value: 'anna' });
    answers.at(-1)!(['anna']);
    await eventually(() => suggestions(form).join() === 'anna');
    answers[0]!(['late']);
    await form.updateComplete;
    expect(suggestions(form)).to.deep.equal(['anna']);
    await sendKeys({ press: 'Escape' });
    await form.updateComplete;
    expect(suggestions(form)).to.deep.equal([]);
    expect(fieldOf(form, 'owner').value).to.equal('anna');
  });

  it('works without suggestions while the server never answers, or fails', async () => {
    let asked = 0;
    const form = await show(
      clientOf([NOTE], () => {
        asked += 1;
        if (asked === 1) return new Promise(() => undefined);
        throw new Error('no');
      }),
    );
    await eventually(() => labels(form).length === 1);
    await type(form, 'id', '4');
    await eventually(() => asked === 1);
    await sendKeys({ type: '2' });
    await eventually(() => asked === 2);
    expect(form.uri).to.equal('note:///42');
    expect(form.submit()).to.equal(true);
  });

  it('asks a server without completions for nothing', async () => {
    let asked = 0;
    const client = {
      ...clientOf([NOTE], () => (asked += 1)),
      serverCapabilities: { resources: {} },
    };
    const form = await show(client as McpClient);
    await eventually(() => labels(form).length === 1);
    fieldOf(form, 'id').focus();
    await sendKeys({ press: 'ArrowDown' });
    // The timer of the first key ends before that of the second.
    Object.assign(client.serverCapabilities, { completions: {} });
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).to.equal(0);
    await sendKeys({ press: 'ArrowDown' });
    await eventually(() => asked === 1);
  });

  it('loads, shows an error, tries again, and says that there is nothing', async () => {
    let answer!: (answer: unknown) => void;
    const client = clientOf(() => new Promise((resolve) => (answer = resolve)));
    const form = await show(client);
    expect(inside(form, '[aria-busy]')).to.be.instanceOf(HTMLElement);
    await expect(form).to.be.accessible();
    answer(Promise.reject(new Error('The disk is on fire.')));
    const alert = await eventually(() => form.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.textContent).to.contain('The disk is on fire.');
    alert.querySelector('button')!.click();
    await eventually(() => form.shadowRoot!.querySelector('[aria-busy]'));
    await eventually(() => {
      answer({ resourceTemplates: [] });
      return texts(form, '.message').join() === 'The server has no resource templates.';
    });
    await expect(form).to.be.accessible();
  });

  it('cannot submit after the connection has ended', async () => {
    const form = await show({ ...clientOf([NOTE]), state: 'closed' } as McpClient);
    await eventually(() => labels(form).length === 1);
    expect((inside(form, 'button.primary') as HTMLButtonElement).disabled).to.equal(true);
    expect(form.shadowRoot!.textContent).to.contain('The connection has ended.');
  });
});

describe('<mcp-template-form>, with a server that gets something wrong,', () => {
  const WRONG: unknown[] = [null, 7, {}, [], NaN, { _$litType$: 1 }, 'x'.repeat(1_000_000)];

  it('shows what is right, whatever the rest is', async () => {
    const wrong = ['name', 'title', 'description', 'mimeType', 'uriTemplate'].flatMap((field) =>
      WRONG.map((value, index) => ({
        ...NOTE,
        uriTemplate: `wrong:${field}${index}`,
        [field]: value,
      })),
    );
    const form = await show(clientOf([...wrong, null, 7, { ...NOTE, title: 'Good' }]));
    await eventually(() => templates(form).length > 0);
    form.focus();
    await sendKeys({ type: 'good' });
    await eventually(() => templates(form).join() === 'Good');
  });

  it('finds one of 10,000 templates at once', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      uriTemplate: `a:${index}/{id}`,
      name: `Template ${index}`,
    }));
    const form = await show(clientOf(many));
    await eventually(() => templates(form).length > 0);
    expect(templates(form).length).to.be.below(60);
    form.focus();
    await sendKeys({ type: 'template 9999' });
    await eventually(() => templates(form).join() === 'Template 9999');
  });

  it('says that a template is malformed or too long', async () => {
    for (const template of ['a:{', 'a:{!x}', `a:${'{x}'.repeat(10_000)}`]) {
      const form = await show(clientOf([]));
      form.template = template;
      const alert = await eventually(() => form.shadowRoot!.querySelector('[role=alert]'));
      expect(alert.textContent).to.contain('The URI template');
      expect(form.submit()).to.equal(false);
    }
  });

  it('shows the suggestions that are texts, and shortens them', async () => {
    const values = [...WRONG, 'good', 'good', 'é'.repeat(9_000)];
    const form = await show(clientOf([NOTE], async () => await Promise.resolve({ values })));
    await eventually(() => labels(form).length === 1);
    await type(form, 'id', 'g');
    const shown = await eventually(() => suggestions(form).length > 0 && suggestions(form));
    expect(shown[0]).to.equal('good');
    expect(shown.length).to.equal(2);
    expect(shown[1]!.length).to.be.below(300);
  });

  it('shows 100 suggestions, and those of at most 10,000 characters', async () => {
    const shownOf = async (values: readonly string[]): Promise<readonly (string | null)[]> => {
      const form = await show(clientOf([NOTE], () => Promise.resolve({ values })));
      await eventually(() => labels(form).length === 1);
      await type(form, 'id', 'g');
      const option = await eventually(() =>
        form.shadowRoot!.querySelector('#values [role=option]'),
      );
      return [option.getAttribute('aria-setsize'), suggestions(form)[0]!.slice(0, 3)];
    };
    const numbers = Array.from({ length: 101 }, (_, index) => String(index));
    expect(await shownOf(numbers.slice(1))).to.deep.equal(['100', '1']);
    expect(await shownOf(numbers)).to.deep.equal(['100', '0']);
    expect(await shownOf(['x'.repeat(10_001), 'y'.repeat(10_000)])).to.deep.equal(['1', 'yyy']);
  });

  it('names its fields as the template does, whatever they are called', async () => {
    const form = await show(clientOf([]));
    form.template = 'a:{__proto__}{?constructor,user-id,%41}';
    await form.updateComplete;
    expect(labels(form)).to.deep.equal(['__proto__', 'constructor', 'user-id', 'A']);
    await type(form, '__proto__', '1');
    await form.updateComplete;
    expect(form.uri).to.equal('a:1');
  });
});
