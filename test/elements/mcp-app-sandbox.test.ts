import { defineTool } from '@inpage-mcp/protocol';
import '@inpage-mcp/elements/define/mcp-app';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import type { McpApp } from '../../packages/elements/src/act/mcp-app/mcp-app.js';
import type { McpAppErrorEvent } from '../../packages/elements/src/act/mcp-app/events.js';
import { appDocument, openAppServer, type AppServer } from '../support/app-server.js';
import { Canary } from '../support/canary.js';
import { eventually } from '../support/elements.js';
import { secondOrigin } from '../support/second-origin.js';
import { isChromium } from '../support/engine.js';
import { soon } from '../support/within.js';

/** Every way but those that no browser can stop (SECURITY.md): WebRTC, and connections without a request. */
describe('<mcp-app> with an app that wants out', () => {
  let server: AppServer;

  const show = async (name: string, args: object): Promise<McpApp> => {
    server = await openAppServer(await appDocument(name));
    const app = document.createElement('mcp-app');
    Object.assign(app, { client: server.client, tool: 'show', arguments: args });
    await fixture(html`<div>${app}</div>`);
    return app;
  };

  const failureOf = async (app: McpApp): Promise<string> =>
    ((await oneEvent(app, 'mcp-app-error')) as unknown as McpAppErrorEvent).problem;

  afterEach(() => server.client.close());

  it('shows it in a file without the tag of its body, before the end of the file has arrived', async () => {
    server = await openAppServer('');
    const response = await fetch('/packages/client/src/app-host/mcp-app-frame.htm');
    const [start = ''] = (await response.text())
      .replace(/<\/head>\s*<body>/, '')
      .split('</script>');
    const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
    const document = frame.contentDocument!;
    const ready = oneEvent(window, 'message');
    // oxlint-disable-next-line typescript/no-deprecated -- Nothing else leaves a document unfinished.
    document.write(`${start.replace('<html', '<html data-own-origin')}</script>`);
    await ready;
    const { port1, port2 } = new MessageChannel();
    frame.contentWindow!.postMessage({}, location.origin, [port2]);
    port1.postMessage({ html: 'An app', policy: 'default-src *', allow: '', title: 'App' });
    await eventually(() => document.querySelector('iframe') !== null);
    document.close();
    port1.close();
  });

  it('lets it reach neither the page, nor the network, nor the file of the frame', async () => {
    const canary = await Canary.open();
    const app = await show('enemy', { evil: canary.origin, own: location.origin });
    const left = failureOf(app);
    const { settled } = (await server.reported({ event: 'tried' })) as unknown as {
      settled: Record<string, string>;
    };
    for (const name of ['parent', 'top', 'sibling', 'storage', 'cookie', 'eval', 'fetch', 'module'])
      expect(settled[name], name).to.match(/^error/);
    for (const name of ['fetch of the page', 'without its policy'])
      expect(settled[name], name).to.match(/^error/);
    for (const name of ['picture', 'script', 'script of the page', 'style'])
      expect(settled[name], name).to.equal('error');
    // It tries to leave its document: Firefox does nothing then, Chromium shows an error in its place, and
    // its session ends. Nothing of it arrives elsewhere.
    // timed: Firefox does nothing, and nothing comes after it.
    const stayed = new Promise((resolve) => setTimeout(() => resolve('stayed'), 2_000));
    const end = await soon('the end', isChromium ? left : Promise.race([left, stayed]));
    if (isChromium) expect(end).to.equal('navigated');
    expect(app.shadowRoot!.querySelectorAll('iframe')).to.have.length(end === 'stayed' ? 1 : 0);
    expect((await canary.reached()).requests).to.deep.equal([]);
    expect(server.writes).to.deep.equal([]);
  });

  it('shows nothing in the frame’s file without a sandbox, in any page', async () => {
    server = await openAppServer('');
    for (const origin of [location.origin, secondOrigin]) {
      const frame = document.createElement('iframe');
      frame.src = `${origin}/packages/client/src/app-host/mcp-app-frame.htm`;
      const said: unknown[] = [];
      const listen = ({ source, data }: MessageEvent): void => {
        if (source === frame.contentWindow) said.push(data);
      };
      addEventListener('message', listen);
      const loaded = oneEvent(frame, 'load');
      await fixture(html`<div>${frame}</div>`);
      await loaded;
      const params = { html: '<script>parent.postMessage("ran", "*")</script>', policy: '' };
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => said.push(data);
      const method = 'ui/notifications/sandbox-resource-ready';
      frame.contentWindow!.postMessage({ method, params }, '*', [port2]);
      port1.postMessage(params);
      // timed: nothing is to come, and nothing comes after it.
      await new Promise((resolve) => setTimeout(resolve, 300));
      removeEventListener('message', listen);
      expect(said, origin).to.deep.equal([]);
    }
  });

  it('ends an app that floods the page, and says so', async () => {
    const app = await show('flood', { how: 'messages' });
    expect(await failureOf(app)).to.equal('flooded');
    expect(app.shadowRoot!.querySelector('iframe')).to.equal(null);
  });

  it('refuses the 65th open request', async () => {
    const app = await show('flood', { how: 'none' });
    server.addTool(
      defineTool({
        name: 'slow',
        annotations: { readOnlyHint: true },
        run: (_, { signal }) =>
          new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('over'))),
      }),
    );
    app.arguments = { how: 'requests' };
    app.reload();
    const { refused } = await server.reported({ event: 'refused' });
    expect(refused).to.have.nested.property('error.code', -32000);
    await app.teardown();
  });

  it('follows an app that grows only to its greatest height', async () => {
    const app = await show('flood', { how: 'size' });
    app.maxHeight = 450;
    await server.reported({ event: 'grown' });
    const frame = app.shadowRoot!.querySelector('iframe')!;
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(frame.getBoundingClientRect().height).to.equal(450);
    expect(frame.getBoundingClientRect().width).to.be.at.most(innerWidth);
  });

  for (const how of ['large', 'values'])
    it(`refuses a message that is too large: ${how}`, async () => {
      await show('flood', { how });
      const { error } = await server.reported({ event: how });
      expect(error).to.include({ code: -32602 });
      expect(server.writes).to.deep.equal([]);
    });

  it('is not moved by what is no message', async () => {
    await show('flood', { how: 'garbage' });
    await server.reported({ event: 'alive' });
  });

  it('takes the question about a link back with the request', async () => {
    const app = await show('flood', { how: 'cancel' });
    await eventually(() => app.shadowRoot!.querySelector('.question'));
    await eventually(() => !app.shadowRoot!.querySelector('.question'));
  });

  it('gives the page only what are valid blocks', async () => {
    const app = await show('flood', { how: 'none' });
    const sent: unknown[] = [];
    app.sendMessage = (content) => sent.push(...content) > 0;
    app.arguments = { how: 'blocks' };
    app.reload();
    await server.reported({ event: 'sent' });
    expect(sent).to.deep.equal([{ type: 'text', text: 'Valid' }]);
  });

  it('closes an app that asks for it', async () => {
    const app = await show('flood', { how: 'close' });
    await oneEvent(app, 'mcp-app-close');
    expect(app.shadowRoot!.querySelector('iframe')).to.equal(null);
  });

  it('ends with the element: no call of a removed app arrives', async () => {
    const app = await show('flood', { how: 'none' });
    await new Promise((resolve) => app.addEventListener('mcp-app-ready', resolve, { once: true }));
    const frame = app.shadowRoot!.querySelector('iframe')!;
    app.remove();
    expect(frame.isConnected).to.equal(false);
    document.body.append(app);
    await oneEvent(app, 'mcp-app-ready');
    app.remove();
  });
});
