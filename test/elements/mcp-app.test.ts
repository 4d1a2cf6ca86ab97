import type { CallToolResult } from '@inpage-mcp/client';
import { defineTool } from '@inpage-mcp/protocol';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import '@inpage-mcp/elements/define/mcp-app';
import '@inpage-mcp/elements/define/mcp-resource-view';
import '@inpage-mcp/elements/define/mcp-tool-form';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import type { McpApp } from '../../packages/elements/src/act/mcp-app/mcp-app.js';
import type { McpAppErrorEvent } from '../../packages/elements/src/act/mcp-app/events.js';
import type { Step } from '../apps/run-steps.js';
import { APP_URI, appDocument, openAppServer, type AppServer } from '../support/app-server.js';
import { eventually, inside } from '../support/elements.js';

const frameOf = (app: McpApp) => app.shadowRoot!.querySelector('iframe')!;

/** A yes or no to the question that is shown, once a yes counts. */
async function answer(app: McpApp, button: 'yes' | 'always' | 'no'): Promise<void> {
  const found = await eventually(() => {
    const one = app.shadowRoot!.querySelector<HTMLElement>(`.question .${button}`);
    return one?.getAttribute('aria-disabled') === 'true' ? undefined : one;
  });
  found.click();
}

describe('<mcp-app>', () => {
  let server: AppServer;

  const open = async (name = 'steps', declared = {}): Promise<void> => {
    server = await openAppServer(await appDocument(name), declared);
  };

  /** The app of `show`, with the steps that it is to do. */
  const show = async (steps: Step[] = [], more: Partial<McpApp> = {}): Promise<McpApp> => {
    const app = document.createElement('mcp-app');
    Object.assign(app, { client: server.client, tool: 'show', arguments: { steps } }, more);
    await fixture(html`<div>${app}</div>`);
    return app;
  };

  /** What came of a request of the app. */
  const step = (method: string) => server.reported({ method });

  afterEach(() => server.client.close());

  for (const version of ['steps', 'steps-1'])
    it(`runs an app made with the official class (${version}), in order: input, result, context, teardown`, async () => {
      await open(version);
      const app = await show([], { result: { content: [{ type: 'text', text: 'Hello.' }] } });
      const { context, capabilities } = await server.reported({ event: 'connected' });
      expect(context).to.include({ displayMode: 'inline', theme: 'light' });
      expect((context!['toolInfo'] as { tool: { name: string } }).tool.name).to.equal('show');
      expect(capabilities).to.include.keys(
        'serverTools',
        'serverResources',
        'openLinks',
        'logging',
      );
      await server.reported({ event: 'result' });
      app.hostContext = { theme: 'dark' };
      const changed = await server.reported({ event: 'context' });
      expect(changed.params).to.include({ theme: 'dark' });
      await app.teardown();
      expect(server.reports.map(({ event }) => event)).to.deep.equal([
        'connected',
        'input',
        'result',
        'context',
        'teardown',
      ]);
      expect(frameOf(app)).to.equal(null);
    });

  it('gives an app what its server has: tools, resources, and changes as they happen', async () => {
    await open();
    await show([
      ['ping'],
      ['tools/list'],
      ['tools/call', { name: 'plain', arguments: {} }],
      ['resources/list'],
      ['resources/templates/list'],
      ['resources/read', { uri: 'a:note' }],
      ['resources/subscribe', { uri: 'a:note' }],
      ['resources/unsubscribe', { uri: 'a:note' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: {} }],
      ['server/discover'],
    ]);
    const { result } = await step('tools/list');
    expect((result!['tools'] as { name: string }[]).map(({ name }) => name)).to.deep.equal([
      'show',
      'plain',
      'report',
      'write',
    ]);
    expect((await step('tools/call')).result!['content']).to.have.length(1);
    expect((await step('resources/read')).result).to.have.nested.property(
      'contents[0].text',
      'one',
    );
    expect((await step('resources/subscribe')).result).to.deep.equal({});
    expect((await step('completion/complete')).code).to.be.a('number');
    expect((await step('server/discover')).code).to.equal(-32601);
  });

  it('refuses tools that are not for apps, links that are no links, and what the page does not offer', async () => {
    await open();
    await show([
      ['tools/call', { name: 'secret', arguments: {} }],
      ['ui/open-link', { url: 'javascript:alert(1)' }],
      ['ui/message', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      ['ui/update-model-context', { content: [] }],
      ['sampling/createMessage', { messages: [], maxTokens: 1 }],
      ['ui/request-display-mode', { mode: 'pip' }],
      ['ui/request-display-mode', { mode: 'inline' }],
    ]);
    expect((await step('tools/call')).code).to.equal(-32602);
    expect((await step('ui/open-link')).code).to.equal(-32602);
    for (const method of ['ui/message', 'ui/update-model-context', 'sampling/createMessage'])
      expect((await step(method)).code, method).to.equal(-32601);
    // The app has not declared it.
    expect((await step('ui/request-display-mode')).result).to.deep.equal({ mode: 'inline' });
  });

  it('gives the page what an app has for the conversation', async () => {
    await open();
    const seen: unknown[] = [];
    await show(
      [
        ['ui/message', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        ['ui/message', { role: 'user', content: { type: 'text', text: 'One block' } }],
        ['ui/update-model-context', { structuredContent: { a: 1 } }],
        ['sampling/createMessage', { messages: [], maxTokens: 1 }],
      ],
      {
        sendMessage: (content) => seen.push(content) > 0,
        updateContext: (context) => void seen.push(context),
        createMessage: async (params) => ({ role: 'assistant', model: 'm', content: params }),
      },
    );
    expect((await step('sampling/createMessage')).result).to.include({ model: 'm' });
    expect(seen).to.deep.equal([
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'text', text: 'One block' }],
      { structuredContent: { a: 1 } },
    ]);
  });

  it('asks before a tool that may write, with its exact arguments, once if the user says so', async () => {
    await open();
    const write: Step = ['tools/call', { name: 'write', arguments: { text: 'Exact' } }];
    const app = await show([write, write, write]);
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    expect(inside(app, '.question').textContent).to.contain('Write it').and.contain('Exact');
    await expect(app).to.be.accessible();
    await answer(app, 'no');
    await eventually(() => server.reports.filter(({ method }) => method).length === 1);
    expect(server.writes).to.deep.equal([]);
    await answer(app, 'always');
    await eventually(() => server.reports.filter(({ method }) => method).length === 3);
    expect(server.writes).to.deep.equal([{ text: 'Exact' }, { text: 'Exact' }]);
  });

  it('permits the app nothing with the call that the page makes itself', async () => {
    await open();
    const _meta = { ui: { resourceUri: APP_URI } };
    server.addTool(defineTool({ name: 'show_and_write', _meta, run: () => 'Written.' }));
    const app = await show([], { tool: 'show_and_write', call: true });
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    expect(inside(app, '.question').textContent).to.contain('with these values?');
    expect(app.shadowRoot!.querySelectorAll('.question .always').length).to.equal(0);
  });

  it('takes a question back with its app', async () => {
    await open();
    const app = await show([['tools/call', { name: 'write', arguments: {} }]]);
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    app.tool = 'plain';
    await eventually(() => !app.shadowRoot!.querySelector('.question'));
    expect(server.writes).to.deep.equal([]);
  });

  it('opens a link, and saves files, after the user has seen which', async () => {
    await open();
    const events: Event[] = [];
    const app = await show([
      ['ui/open-link', { url: 'https://example.org/?secret' }],
      [
        'ui/download-file',
        { contents: [{ type: 'resource', resource: { uri: 'file:///../a%2Fb.txt', text: 'x' } }] },
      ],
      ['ui/open-link', { url: 'https://example.org/no' }],
    ]);
    for (const type of ['mcp-app-link', 'mcp-app-download'])
      app.addEventListener(type, (event) => {
        event.preventDefault();
        events.push(event);
      });
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    expect(inside(app, '.question').textContent).to.contain('https://example.org/?secret');
    await answer(app, 'yes');
    await step('ui/open-link');
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    expect(inside(app, '.question').textContent).to.contain('a_b.txt');
    await answer(app, 'yes');
    await step('ui/download-file');
    await answer(app, 'no');
    await eventually(() => server.reports.filter(({ method }) => method).length === 3);
    expect(server.reports.at(-1)!.result).to.deep.equal({ isError: true });
    expect(events.map(({ type }) => type)).to.deep.equal(['mcp-app-link', 'mcp-app-download']);
  });

  it('calls the tool itself if it is to, and shows the same result as text', async () => {
    await open();
    const app = await show([], { call: true });
    const { params } = await server.reported({ event: 'result' });
    expect(params).to.have.nested.property('content[0].text', 'Shown as text.');
    const button = inside(app, '.text');
    expect(button.getAttribute('aria-pressed')).to.equal('false');
    button.click();
    await app.updateComplete;
    expect(inside(app, '.outcome').textContent).to.contain('Shown as text.');
    await expect(app).to.be.accessible();
    // The app is as it was: it is not read again.
    const frame = frameOf(app);
    button.click();
    await app.updateComplete;
    expect(frameOf(app)).to.equal(frame);
    expect(server.reports.filter(({ event }) => event === 'connected')).to.have.length(1);
  });

  it('passes on what a model is still writing, and then the whole', async () => {
    await open();
    const app = await show([], { arguments: undefined as never, partialArguments: { a: 'h' } });
    await server.reported({ event: 'connected' });
    app.partialArguments = { a: 'he' };
    await server.reported({ event: 'partial' });
    app.arguments = { a: 'hello' };
    app.partialArguments = { a: 'late' };
    await server.reported({ event: 'input' });
    app.cancelled = 'Enough.';
    const { params } = await server.reported({ event: 'cancelled' });
    expect(params).to.deep.equal({ reason: 'Enough.' });
    const partials = server.reports.filter(({ event }) => event === 'partial');
    expect(partials.map((one) => one.params!['arguments'])).not.to.deep.include({ a: 'late' });
  });

  it('shows a result with its app again, without a call', async () => {
    await open();
    const first = await show([], { result: { content: [{ type: 'text', text: 'Kept.' }] } });
    await server.reported({ event: 'result' });
    const kept = JSON.parse(JSON.stringify(first.keep())) as ReturnType<McpApp['keep']>;
    await first.teardown();
    server.reports.length = 0;
    const again = document.createElement('mcp-app');
    Object.assign(again, { client: server.client, kept });
    await fixture(html`<div>${again}</div>`);
    const { params } = await server.reported({ event: 'result' });
    expect(params).to.have.nested.property('content[0].text', 'Kept.');
    expect(inside(again, 'h3').textContent).to.contain('Show it');
    expect(JSON.parse(JSON.stringify(again.keep()))).to.deep.equal(kept);
  });

  it('shows an app in full screen and back, without loading it anew', async () => {
    await open();
    const app = await show([['ui/request-display-mode', { mode: 'fullscreen' }]]);
    expect((await step('ui/request-display-mode')).result).to.deep.equal({ mode: 'fullscreen' });
    const width = (): number => inside(app, '.app').getBoundingClientRect().width;
    await eventually(() => width() === innerWidth);
    inside(app, '.mode').click();
    await eventually(() => app.displayMode === 'inline' && width() < innerWidth);
    const { params } = await eventually(() =>
      server.reports.find(
        (one) => one.event === 'context' && one.params?.['displayMode'] === 'inline',
      ),
    );
    expect(params).to.include({ displayMode: 'inline' });
    expect(server.reports.filter(({ event }) => event === 'connected')).to.have.length(1);
  });

  it('says in words what is wrong: no tool, no app, another media type, a frame that is not there', async () => {
    await open();
    const failure = async (more: Partial<McpApp>): Promise<McpAppErrorEvent> => {
      const app = document.createElement('mcp-app');
      Object.assign(app, { client: server.client }, more);
      const failed = oneEvent(app, 'mcp-app-error') as unknown as Promise<McpAppErrorEvent>;
      await fixture(html`<div>${app}</div>`);
      const event = await failed;
      await app.updateComplete;
      expect(inside(app, '[role=alert]').textContent).to.contain((event.error as Error).message);
      return event;
    };
    expect((await failure({ tool: 'none' })).problem).to.equal('no-app');
    expect((await failure({ tool: 'plain' })).problem).to.equal('no-app');
    expect((await failure({ uri: 'ui://test/page' })).problem).to.equal('no-app');
    expect((await failure({ uri: 'ui://test/none' })).problem).to.equal('failed');
    const missing = await failure({ uri: APP_URI, frameUrl: '/none.html' });
    expect(missing.problem).to.equal('frame');
    expect((missing.error as Error).message)
      .to.contain('/none.html')
      .and.contain('policy');
    expect((await failure({ uri: APP_URI, ownOrigin: true })).problem).to.equal('frame');
  });

  it('asks before an app reaches what it declares, and lets the page decide instead', async () => {
    await open('steps', {
      csp: { connectDomains: ['https://a.example', 'https://b; script-src *'] },
      permissions: { camera: {}, geolocation: {} },
    });
    const app = await show();
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    expect(inside(app, '.question').textContent)
      .to.contain('https://a.example')
      .not.contain('https://b');
    await answer(app, 'no');
    const sandboxes = (): unknown[] =>
      server.reports
        .filter(({ event }) => event === 'connected')
        .map(({ capabilities }) => capabilities!['sandbox']);
    await server.reported({ event: 'connected' });
    expect(inside(app, '.bar').textContent).to.contain('Reaches nothing');
    const other = await show([], {
      acceptSource: () => true,
      permissions: ['camera', 'microphone'],
    });
    await eventually(() => inside(other, '.bar').textContent!.includes('https://a.example'));
    await eventually(() => sandboxes().length === 2);
    expect(sandboxes(), 'what each was told').to.deep.equal([
      { csp: {}, permissions: {} },
      { csp: { connectDomains: ['https://a.example'] }, permissions: { camera: {} } },
    ]);
  });

  it('records what an app says', async () => {
    await open();
    const recorder = new WireRecorder();
    await show([['ping']], { recorder });
    await step('ping');
    const methods = recorder.entries.map(({ method }) => method);
    expect(methods).to.include.members([
      'ui/initialize',
      'ui/notifications/tool-input',
      'tools/call',
    ]);
  });

  it('gives an app a connection of its own, and closes it with the app', async () => {
    await open();
    const own = await openAppServer(await appDocument('steps'));
    const app = await show([], { connect: async () => own.client });
    await own.reported({ event: 'connected' });
    expect(server.reports).to.deep.equal([]);
    await app.teardown();
    await own.client.closed;
    expect(server.client.state).to.equal('open');
  });

  it('collapses to its bar, closes, and can be shown again', async () => {
    await open();
    const result: CallToolResult = { content: [{ type: 'text', text: 'Text.' }] };
    const app = await show([], { result });
    await server.reported({ event: 'result' });
    inside(app, '.collapse').click();
    await app.updateComplete;
    expect(inside(app, '.collapse').getAttribute('aria-expanded')).to.equal('false');
    expect(inside(app, '.away').getBoundingClientRect().height).to.equal(0);
    const closed = oneEvent(app, 'mcp-app-close');
    inside(app, '.tools > button:last-child').click();
    await closed;
    await server.reported({ event: 'teardown' });
    inside(app, '.collapse').click();
    await app.updateComplete;
    inside(app, '.message button').click();
    await eventually(
      () => server.reports.filter(({ event }) => event === 'connected').length === 2,
    );
  });

  it('shows the result of a form with its app, and without it if the page says so', async () => {
    await open();
    const form = document.createElement('mcp-tool-form');
    Object.assign(form, { client: server.client, tool: 'show' });
    await fixture(html`<div>${form}</div>`);
    const call = async (): Promise<void> =>
      (await eventually(() => form.shadowRoot!.querySelector<HTMLElement>('button.call'))).click();
    await call();
    const { params } = await server.reported({ event: 'result' });
    expect(params).to.have.nested.property('content[0].text', 'Shown as text.');
    const app = form.shadowRoot!.querySelector('mcp-app')!;
    expect(form.shadowRoot!.querySelector('.outcome')).to.equal(null);
    inside(app, '.text').click();
    await eventually(() => app.shadowRoot!.querySelector('.outcome'));
    form.apps = 'off';
    await eventually(() => form.shadowRoot!.querySelector('.outcome'));
    expect(form.shadowRoot!.querySelector('mcp-app')).to.equal(null);
  });

  it('is offered where a view shows a resource that is an app', async () => {
    await open();
    const view = document.createElement('mcp-resource-view');
    Object.assign(view, { client: server.client, uri: APP_URI });
    await fixture(html`<div>${view}</div>`);
    (await eventually(() => view.shadowRoot!.querySelector<HTMLElement>('.show-app'))).click();
    await server.reported({ event: 'connected' });
    view.uri = 'a:note';
    await eventually(() => !view.shadowRoot!.querySelector('mcp-app'));
  });

  it('shows nothing without anything to show, and no reach before it is known', async () => {
    await open();
    const app = await show([], { tool: undefined as never });
    await app.updateComplete;
    expect(app.shadowRoot!.querySelector('.app')).to.equal(null);
    app.tool = 'show';
    await app.updateComplete;
    expect(inside(app, '.bar').textContent).not.to.contain('Reaches');
    await eventually(() => inside(app, '.bar').textContent!.includes('Reaches nothing'));
  });

  it('says to the user, too, that the call has failed', async () => {
    await open();
    const call = server.client.callTool.bind(server.client);
    server.client.callTool = (name, ...rest) =>
      name === 'show' ? Promise.reject(new Error('It broke.')) : call(name, ...rest);
    const app = await show([], { call: true });
    const { params } = await server.reported({ event: 'cancelled' });
    expect(params).to.deep.equal({ reason: 'It broke.' });
    await app.updateComplete;
    expect(inside(app, '.outcome').textContent).to.contain('It broke.');
  });
});
