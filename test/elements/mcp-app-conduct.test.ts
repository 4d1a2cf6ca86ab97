import { defineTool } from '@inpage-mcp/protocol';
import '@inpage-mcp/elements/define/mcp-app';
import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import type { McpApp } from '../../packages/elements/src/act/mcp-app/mcp-app.js';
import { APP_URI, openAppServer, type AppServer } from '../support/app-server.js';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useFakeTimers } from '../support/fake-timers.js';

/** An app that says what its call asks for, all at once, and reports what it gets. */
const APP = `<!doctype html><script>
  const say = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let reports = 0;
  addEventListener('message', ({ data }) => {
    if (data.id === 'start') return say({ method: 'ui/notifications/initialized' });
    if (String(data.id).startsWith('report')) return;
    const { method, id, params, result } = data;
    const report = { event: method ?? 'answer', id, params, result };
    say({ id: 'report' + (reports += 1), method: 'tools/call', params: { name: 'report', arguments: report } });
    if (method === 'ui/notifications/tool-input') for (const message of params.arguments.say ?? []) say(message);
  });
  const appCapabilities = { availableDisplayModes: ['inline', 'fullscreen'] };
  say({ id: 'start', method: 'ui/initialize', params: { appInfo: { name: 'raw', version: '1' }, appCapabilities } });
</script>`;

const write = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'write', arguments: { id } },
});

describe('<mcp-app>, whatever its app and its page do,', () => {
  let server: AppServer;

  const show = async (
    say: object[] = [],
    more: Partial<McpApp> = {},
    source = APP,
  ): Promise<McpApp> => {
    server = await openAppServer(source);
    for (const name of ['other', 'writing'])
      server.addTool(
        defineTool({
          name,
          annotations: { readOnlyHint: name === 'other' },
          _meta: { ui: { resourceUri: APP_URI } },
          run: () => `Result of ${name}.`,
        }),
      );
    const app = document.createElement('mcp-app');
    Object.assign(app, { client: server.client, tool: 'show', arguments: { say } }, more);
    await fixture(html`<div><input class="before" />${app}</div>`);
    return app;
  };

  /** Whether it is all that the page shows. */
  const fills = (app: McpApp): boolean => {
    const { width, height } = inside(app, '.app').getBoundingClientRect();
    return width === innerWidth && height === innerHeight;
  };
  const question = (app: McpApp) => app.shadowRoot!.querySelector('.question');
  const answer = async (app: McpApp, name: 'yes' | 'always' | 'no'): Promise<void> => {
    const button = await eventually(() => {
      const one = app.shadowRoot!.querySelector<HTMLElement>(`.question .${name}`);
      return one?.getAttribute('aria-disabled') !== 'true' && one;
    });
    button.click();
  };
  const all = (event: string) => server.reports.filter((one) => one.event === event);

  afterEach(() => server.client.close());

  it('does not ask again for calls that wait already, if the user says so', async () => {
    const app = await show([write(1), write(2), write(3)]);
    await answer(app, 'always');
    await eventually(() => all('answer').length === 3);
    expect(server.writes).to.have.length(3);
    expect(question(app) === null).to.equal(true);
  });

  it('ends with teardown() only the app that it was called for', async () => {
    const app = await show();
    await server.reported({ event: 'ui/notifications/tool-input' });
    // This app never answers.
    const gone = app.teardown();
    app.tool = 'other';
    await gone;
    await eventually(() => all('ui/notifications/tool-input').length === 2);
    // timed: longer than an app has for its end.
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(app.shadowRoot!.querySelector('iframe')).not.to.equal(null);
  });

  it('closes once, however often it is asked', async () => {
    const close = { method: 'ui/notifications/request-teardown' };
    const app = await show([close, close, close]);
    let closed = 0;
    app.addEventListener('mcp-app-close', () => (closed += 1));
    await eventually(() => closed > 0);
    await app.teardown();
    expect(closed).to.equal(1);
    expect(all('ui/resource-teardown')).to.have.length(1);
  });

  it('calls another tool anew, and never shows it the result of the one before', async () => {
    const app = await show([], { call: true });
    await server.reported({ event: 'ui/notifications/tool-result' });
    app.tool = 'other';
    await eventually(() => all('ui/notifications/tool-result').length === 2);
    const texts = all('ui/notifications/tool-result').map(({ params }) => JSON.stringify(params));
    expect(texts[0]).to.contain('Shown as text.');
    expect(texts[1]).to.contain('Result of other.');
    expect(JSON.stringify(app.result)).to.contain('Result of other.');
    app.reload();
    await eventually(() => all('ui/notifications/tool-result').length === 3);
  });

  it('asks again when an app whose call was refused is shown again', async () => {
    const app = await show([], { call: true, tool: 'writing' });
    await answer(app, 'no');
    await server.reported({ event: 'ui/notifications/tool-cancelled' });
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(all('ui/notifications/tool-cancelled')).to.have.length(1);
    app.reload();
    await answer(app, 'yes');
    await server.reported({ event: 'ui/notifications/tool-result' });
  });

  it('does not take the focus from another part of the page, neither with a question nor after it', async () => {
    const app = await show([], { arguments: undefined as never });
    await eventually(() => app.matches(':state(ready)'));
    const before = document.querySelector<HTMLInputElement>('.before')!;
    before.focus();
    app.arguments = { say: [write(1)] };
    await eventually(() => question(app));
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(document.activeElement?.className).to.equal('before');
    expect(inside(app, '[role=status]').textContent).to.contain('wants to call');
    app.arguments = {
      say: [{ method: 'notifications/cancelled', params: { requestId: 1 } }],
    };
    await eventually(() => !question(app));
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(document.activeElement?.className).to.equal('before');
  });

  it('gives the focus back to the app after each kind of question', async () => {
    const link = { id: 1, method: 'ui/open-link', params: { url: 'https://example.org/' } };
    for (const asked of [link, write(2)]) {
      const app = await show([asked]);
      const no = await eventually(() => app.shadowRoot!.querySelector<HTMLElement>('.no'));
      no.focus();
      no.click();
      await eventually(() => app.shadowRoot!.activeElement?.localName === 'iframe');
      await server.client.close();
    }
  });

  it('waits for the end of a row of clicks before a yes counts', async () => {
    const app = await show([write(1)]);
    const yes = await eventually(() => app.shadowRoot!.querySelector<HTMLElement>('.yes'));
    for (let n = 0; n < 6; n += 1) {
      yes.click();
      // timed: the pace of a user.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(question(app) === null).to.equal(false);
    await answer(app, 'yes');
    await eventually(() => server.writes.length === 1);
  });

  it('is shown in the mode that its attribute says at first, also when its client comes later', async () => {
    const app = await show([], { client: undefined as never, displayMode: 'fullscreen' });
    await app.updateComplete;
    app.client = server.client;
    await eventually(() => fills(app));
    await server.reported({ event: 'ui/notifications/tool-input' });
    expect(app.displayMode).to.equal('fullscreen');
    const parent = app.parentElement!;
    app.remove();
    parent.append(app);
    await app.updateComplete;
    expect(inside(app, '.app').getBoundingClientRect().height).to.be.above(0);
  });

  it('uses the functions of the page as they are now, and keeps its app when a render makes new ones', async () => {
    const seen: string[] = [];
    const connect = async () => (await openAppServer(APP)).client;
    const more = (name: string): Partial<McpApp> => ({
      sendMessage: () => seen.push(name) > 0,
      updateContext: () => void seen.push(name),
    });
    const app = await show([], { ...more('first'), arguments: undefined as never });
    await eventually(() => app.matches(':state(ready)'));
    Object.assign(app, more('second'));
    app.arguments = {
      say: [
        { id: 1, method: 'ui/message', params: { content: { type: 'text', text: 'Hi' } } },
        { id: 2, method: 'ui/update-model-context', params: {} },
      ],
    };
    await eventually(() => all('answer').length === 2);
    expect(seen).to.deep.equal(['second', 'second']);
    app.connect = () => connect();
    await eventually(() => !app.matches(':state(ready)'));
    await eventually(() => app.matches(':state(ready)'));
    const frame = app.shadowRoot!.querySelector('iframe');
    app.connect = () => connect();
    await app.updateComplete;
    expect(app.shadowRoot!.querySelector('iframe')).to.equal(frame);
  });

  it('does not let an app take the screen again that the user has taken from it', async () => {
    const ask = (id: number) => ({
      id,
      method: 'ui/request-display-mode',
      params: { mode: 'fullscreen' },
    });
    const app = await show([ask(1)]);
    await eventually(() => app.displayMode === 'fullscreen');
    inside(app, '.mode').click();
    await eventually(() => app.displayMode === 'inline');
    app.arguments = { say: [ask(2)] };
    const { result } = await server.reported({ event: 'answer', id: 2 });
    expect(result).to.deep.equal({ mode: 'inline' });
    expect(app.displayMode).to.equal('inline');
    inside(app, '.mode').click();
    await eventually(() => fills(app));
  });

  it('keeps the keyboard in the full screen until the user leaves it, and puts the focus at its button', async () => {
    const app = await show([write(1)]);
    await eventually(() => question(app));
    inside(app, '.mode').click();
    await eventually(() => fills(app));
    const before = document.querySelector<HTMLInputElement>('.before')!;
    before.focus();
    expectFocus(document, app);
    const frame = app.shadowRoot!.querySelector('iframe');
    expect(inside(app, '.place').shadowRoot!.querySelector('dialog')!.ariaLabel).to.equal(
      'Show it',
    );
    await expect(app).to.be.accessible();

    inside(app, '#question').focus();
    await sendKeys({ press: 'Escape' });
    await server.reported({ event: 'answer', id: 1 });
    expect(app.displayMode).to.equal('fullscreen');
    inside(app, '.mode').focus();
    await sendKeys({ press: 'Escape' });
    await eventually(() => app.displayMode === 'inline');
    await app.updateComplete;
    expectFocus(app, inside(app, '.mode'));
    before.focus();
    expectFocus(document, before);
    expect(app.shadowRoot!.querySelector('iframe')).to.equal(frame);
    expect(all('ui/notifications/tool-input')).to.have.length(1);
  });

  it('comes back when the browser closes its full screen', async () => {
    const app = await show([], { displayMode: 'fullscreen' });
    await eventually(() => fills(app));
    inside(app, '.place').shadowRoot!.querySelector('dialog')!.close();
    await eventually(() => app.displayMode === 'inline');
    expect(fills(app)).to.equal(false);
  });

  it('leaves room for its bar in a low window, follows the window, and tells its app', async () => {
    const height = (): number => inside(app, '.frame').getBoundingClientRect().height;
    const size = { method: 'ui/notifications/size-changed', params: { height: 2_000 } };
    const app = await show([size]);
    // What it learns from its start is no change.
    await eventually(() => app.matches(':state(ready)'));
    for (const [window, expected] of [
      [700, 428],
      [300, 192],
      [1_200, 800],
    ] as const) {
      await setViewport({ width: 800, height: window });
      await eventually(() => height() === expected);
      const hasHeight =
        (maxHeight: number) =>
        ({ params }: { params?: Record<string, unknown> }) =>
          (params?.['containerDimensions'] as { maxHeight?: number })?.maxHeight === maxHeight;
      await eventually(() =>
        all('ui/notifications/host-context-changed').some(hasHeight(expected)),
      );
    }
    app.maxHeight = 1_000;
    await eventually(() => height() === 1_000);
  });

  it('shows what was kept without a server, whose tools are then refused in words', async () => {
    const source = APP.replace("name: 'report', arguments: report", "name: 'report'").replace(
      'const { method',
      "say({ method: 'notifications/message', params: { level: 'info', data } });\n    const { method",
    );
    const first = await show([write(1)], {}, source);
    first.result = { content: [{ type: 'text', text: 'Kept.' }] };
    await answer(first, 'no');
    await eventually(() => first.matches(':state(ready)'));
    const kept = JSON.parse(JSON.stringify(first.keep())) as ReturnType<McpApp['keep']>;
    await first.teardown();
    const app = document.createElement('mcp-app');
    const logged: { id?: unknown; method?: string; error?: object }[] = [];
    app.addEventListener('mcp-app-log', ({ entry }) => void logged.push(Object(entry['data'])));
    app.kept = kept;
    await fixture(html`<div>${app}</div>`);
    const refusal = await eventually(() => logged.find(({ id }) => id === 1));
    const message = 'This app is shown without its server.';
    expect(refusal.error).to.deep.equal({ code: -32000, message });
    await eventually(() => logged.some(({ method }) => method === 'ui/notifications/tool-result'));
    expect(inside(app, '.bar').textContent)
      .to.contain('Show it')
      .and.contain('App of ⁨Server of apps⁩')
      .and.contain('Reaches nothing')
      .not.contain('but its server');
    expect(question(app)).to.equal(null);
    inside(app, '.text').click();
    await eventually(() => inside(app, '.outcome').textContent.includes('Kept.'));
    expect(app.keep()).to.deep.equal(kept);
    // A server that comes later starts it again.
    app.client = server.client;
    await eventually(() => question(app));
  });

  it('is mirrored in a page that is written from right to left', async () => {
    const app = await show([], { displayMode: 'pip' });
    await eventually(() => app.matches(':state(ready)'));
    const sides = (dir: string): number[][] => {
      app.dir = dir;
      return ['.app', '.names', '.tools'].map((selector) => {
        const { left, right } = inside(app, selector).getBoundingClientRect();
        return [left, innerWidth - right].map(Math.round);
      });
    };
    const mirrored = sides('rtl').map((ofOne) => ofOne.toReversed());
    expect(mirrored).to.deep.equal(sides('ltr'));
  });

  it('lets 8 questions wait, and answers the next ones with a no', async () => {
    const app = await show(Array.from({ length: 10 }, (_, n) => write(n + 1)));
    await server.reported({ event: 'answer', id: 10 });
    expect(all('answer').map(({ id }) => id)).to.have.members([9, 10]);
    for (const { result } of all('answer')) expect(result).to.include({ isError: true });
    expect(server.writes).to.deep.equal([]);
    await answer(app, 'always');
    await eventually(() => all('answer').length === 10);
    expect(server.writes).to.have.length(8);
  });

  describe('in time,', () => {
    const timers = useFakeTimers();

    /** Runs, and calls a tool, but never says that it is an app. */
    const SILENT = APP.replace(
      /say\(\{ id: 'start'.*/,
      `dispatchEvent(new MessageEvent('message', { data: {} }));`,
    );

    const problems = (app: McpApp): string[] => {
      const seen: string[] = [];
      app.addEventListener('mcp-app-error', ({ problem }) => seen.push(problem));
      return seen;
    };

    it('has 15 s to start, and stays shown after that', async () => {
      const app = await show([], {}, SILENT);
      const seen = problems(app);
      await server.reported({ event: 'answer' });
      timers.pass(14_999);
      expect(seen).to.deep.equal([]);
      timers.pass(1);
      expect(seen).to.deep.equal(['no-answer']);
      await app.updateComplete;
      expect(inside(app, '.remark').textContent).to.contain('does not answer');
      expect(app.shadowRoot!.querySelector('iframe')).not.to.equal(null);
    });

    it('may be silent for as long as it likes once it has started', async () => {
      const app = await show();
      const seen = problems(app);
      await server.reported({ event: 'ui/notifications/tool-input' });
      timers.pass(600_000);
      expect(seen).to.deep.equal([]);
    });

    it('waits for its frame for 3 s', async () => {
      const app = await show([], { frameUrl: '/none.html' });
      const seen = problems(app);
      const frame = await eventually(() => app.shadowRoot!.querySelector('iframe'));
      await new Promise((resolve) => frame.addEventListener('load', resolve));
      timers.pass(2_999);
      await new Promise(requestAnimationFrame);
      expect(seen).to.deep.equal([]);
      timers.pass(1);
      await new Promise(requestAnimationFrame);
      expect(seen).to.deep.equal(['frame']);
    });
  });
});
