import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { secondOrigin } from '../support/second-origin.js';
import { eventually, soon } from '../support/within.js';
import { CountingListener } from '../contracts/client-contract.js';
import { nextEvent, openApp, removeApps, ScriptedHost, type AppFrame } from './app-frames.js';

/** What our own host offers beyond the extension. */
const OWN = {
  hostCapabilities: {
    serverResources: {},
    experimental: {
      'io.github.inpage-mcp/server': {
        serverInfo: { name: 'ours', version: '3' },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      },
    },
  },
};

const all = (...values: unknown[]): unknown[] => values;

/** Resolves after so many frames were drawn: two measure and report what is new, and two follow that. */
async function drawn({ window }: AppFrame, frames = 4): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1)
    await new Promise((resolve) => window.requestAnimationFrame(() => resolve(undefined)));
}

describe('an app, whatever its host does,', () => {
  afterEach(removeApps);

  it('says that it is not in a frame', async () => {
    const { connectToHost } = await import('@inpage-mcp/client/app');
    const top = parent === self;
    if (top) expect(await failureOf(connectToHost())).to.include({ code: 'unsupported' });
  });

  it('says that nobody answers', async () => {
    const app = await openApp();
    const error = await failureOf(app.connect({ timeoutMs: 20 }));
    expect(error).to.include({ name: 'ClientError', code: 'timeout' });
    expect((error as Error).message).to.match(/did not answer as a host .* within 20 ms/);
  });

  it('passes on why it is rejected', async () => {
    const app = await openApp();
    const error = { code: -32000, message: 'Not here.' };
    void new ScriptedHost(app, {}, { 'ui/initialize': () => ({ error }) });
    expect(await failureOf(app.connect())).to.include({ name: 'McpError', message: 'Not here.' });
  });

  it('connects to a host of another origin', async () => {
    const app = await openApp(`${secondOrigin}/test/fixtures/app-view.html?connects`);
    const host = new ScriptedHost(app);
    // The request came before this host listened.
    const { id } = await app.message('ui/initialize');
    host.send({ jsonrpc: '2.0', id, result: host.answers['ui/initialize']!({}) && {} });
    await app.message('ui/notifications/initialized');
    expect((await host.request('ping')).result).to.deep.equal({});
  });

  it('offers nothing that its host does not', async () => {
    const app = await openApp();
    void new ScriptedHost(app, { hostCapabilities: 'all', hostContext: null, hostInfo: 7 });
    const host = await app.connect();
    expect(all(host.info, host.capabilities, host.context)).to.deep.equal([undefined, {}, {}]);
    const link = { type: 'resource_link', uri: 'a:text', name: 'text' } as const;
    for (const refused of [
      host.openLink('https://example.com'),
      host.sendMessage('Hello'),
      host.updateContext({ content: [link] }),
      host.downloadFile(link),
    ])
      expect(await failureOf(refused)).to.include({ name: 'ClientError', code: 'unsupported' });
    host.log('error', 'nobody reads it');
    await host.client.listResources().catch(() => undefined);
    expect(app.received.map(({ method }) => method)).to.not.include.members([
      'ui/open-link',
      'ui/message',
      'notifications/message',
    ]);
    expect(await failureOf(host.client.watchList(() => undefined).ready)).to.include({
      code: 'unsupported',
    });
  });

  it('ignores what is malformed, and what other windows send', async () => {
    const app = await openApp();
    const scripted = new ScriptedHost(app, { hostContext: { theme: 'dark', locale: 'it' } });
    const host = await app.connect({ autoResize: false });
    const fired: string[] = [];
    for (const type of ['input', 'result', 'cancelled', 'context'])
      host.addEventListener(type, () => fired.push(type));
    const input = { method: 'ui/notifications/tool-input', params: { arguments: { from: 'a' } } };
    for (const message of [
      null,
      'text',
      { ...input },
      { jsonrpc: '1.0', ...input },
      { jsonrpc: '2.0', ...input, params: 'all' },
      { jsonrpc: '2.0', ...input, id: {} },
      { jsonrpc: '2.0', id: 1, result: 'one' },
      { jsonrpc: '2.0', id: 1, error: { code: 'x' } },
      { jsonrpc: '2.0', method: 7 },
    ])
      scripted.send(message);
    // As a window beside the host: this frame is not the parent of the app.
    const opened = frames.length - 1;
    const stranger = await openApp();
    const script = stranger.window.document.createElement('script');
    const forged = JSON.stringify({ jsonrpc: '2.0', ...input });
    script.textContent = `parent.frames[${opened}].postMessage(${forged}, '*')`;
    stranger.window.document.body.append(script);
    scripted.notify('ui/notifications/tool-result', { content: 'none' });
    scripted.notify('ui/notifications/unknown');
    scripted.notify('ui/notifications/host-context-changed', { theme: 'pink', locale: 7 });
    await nextEvent(host, 'context');
    expect(fired).to.deep.equal(['context']);
    expect(host.context).to.deep.equal({ theme: 'dark', locale: 'it' });
    expect(all(host.input, host.result, host.data())).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    scripted.notify('ui/notifications/tool-input', { arguments: ['no object'] });
    await nextEvent(host, 'input');
    expect(host.input).to.deep.equal({ arguments: {}, isComplete: true });
  });

  it('checks answers as those of a server, and waits for none without end', async () => {
    const app = await openApp();
    const answers = {
      'resources/read': () => ({ result: { contents: [{ uri: 'a:text' }] } }),
      'tools/list': () => undefined,
      'ui/request-display-mode': () => ({ result: { mode: 'hologram' } }),
    };
    void new ScriptedHost(app, {}, answers);
    const script = app.window.document.createElement('script');
    script.id = 'inpage-mcp-tools';
    script.type = 'application/json';
    script.textContent = '[{"name":"known","inputSchema":{"type":"object"}},{"name":7}]';
    app.window.document.body.append(script);
    const host = await app.connect();
    const read = failureOf(host.client.readResource('a:text'));
    expect(await read).to.include({ code: 'invalid-result' });
    const { tools, unusable } = await host.client.listTools({ timeoutMs: 20 });
    expect(
      all(
        tools.map(({ name }) => name),
        unusable,
      ),
    ).to.deep.equal([['known'], 1]);
    expect(await failureOf(host.requestDisplayMode('pip'))).to.include({ code: 'invalid-result' });
  });

  it('ends a call that only reports progress, after its whole time, and takes it back', async () => {
    const app = await openApp();
    const scripted = new ScriptedHost(app, {}, { 'tools/call': () => undefined });
    const host = await app.connect();
    const limits = { timeoutMs: 1_000, totalTimeoutMs: 900, onprogress: () => undefined };
    const call = failureOf(host.client.callTool('slow', {}, limits));
    const { id, params } = await app.message('tools/call');
    const { progressToken } = params!['_meta'] as { progressToken: number };
    let progress = 0;
    const timer = setInterval(() => {
      scripted.notify('notifications/progress', { progressToken, progress: (progress += 1) });
    }, 50);
    const error = (await call) as Error;
    clearInterval(timer);
    expect(error).to.include({ code: 'timeout' });
    expect(error.message).to.contain('within 900 ms');
    const cancelled = await app.message('notifications/cancelled');
    expect(cancelled.params).to.deep.equal({ requestId: id });
  });

  it('knows the tool that shows it, if nothing else is known', async () => {
    const app = await openApp();
    const tool = { name: 'show_notes', inputSchema: { type: 'object' } };
    void new ScriptedHost(app, { hostContext: { toolInfo: { id: 1, tool } } });
    const host = await app.connect();
    expect((await host.client.listTools()).tools).to.deep.equal([tool]);
  });

  it('asks a host again that was too slow to list its tools, once they change', async () => {
    const app = await openApp();
    const [known, listed] = ['show_notes', 'other'].map((name) => ({
      name,
      inputSchema: { type: 'object' },
    }));
    let isSlow = true;
    const answer = () => (isSlow ? undefined : { result: { tools: [listed] } });
    const context = { hostContext: { toolInfo: { id: 1, tool: known } } };
    const scripted = new ScriptedHost(app, context, { 'tools/list': answer });
    const { client } = await app.connect();
    const names = async (): Promise<string[]> =>
      (await client.listTools({ timeoutMs: 1 })).tools.map(({ name }) => name);
    expect([await names(), await names()]).to.deep.equal([['show_notes'], ['show_notes']]);
    expect(app.messages('tools/list')).to.have.length(1);
    isSlow = false;
    scripted.notify('notifications/tools/list_changed');
    await eventually(async () => (await client.listTools()).tools[0]?.name === 'other');
    expect(app.messages('tools/list').length).to.be.above(1);
  });

  it('subscribes where its host can', async () => {
    const app = await openApp();
    const subscribed: string[] = [];
    const note =
      (sign: string) =>
      ({ uri }: { uri?: unknown }) => {
        subscribed.push(sign + String(uri));
        return { result: {} };
      };
    const answers = { 'resources/subscribe': note('+'), 'resources/unsubscribe': note('-') };
    const scripted = new ScriptedHost(app, OWN, answers);
    const { client } = await app.connect();
    expect(client.serverInfo).to.deep.equal({ name: 'ours', version: '3' });
    const [list, text] = [new CountingListener(), new CountingListener()];
    await client.watchList(list.call).ready;
    const watch = client.watch('a:text', text.call);
    await watch.ready;
    scripted.notify('notifications/resources/updated', { uri: 'a:other' });
    scripted.notify('notifications/resources/updated', { uri: 'a:text' });
    scripted.notify('notifications/resources/list_changed');
    await Promise.all([list.called(1), text.called(1)]);
    watch.stop();
    await app.message('resources/unsubscribe');
    await client.listResources().catch(() => undefined);
    expect(subscribed).to.deep.equal(['+a:text', '-a:text']);
    expect(all(list.calls, text.calls)).to.deep.equal([1, 1]);
    expect(app.messages('tools/list')).to.deep.equal([]);
  });

  it('ends although it cannot save', async () => {
    const app = await openApp();
    const scripted = new ScriptedHost(app);
    const reported: unknown[] = [];
    app.window.reportError = (error) => reported.push(error);
    const onteardown = (): Promise<void> => Promise.reject(new Error('full'));
    const host = await app.connect({ onteardown });
    expect((await scripted.request('ui/resource-teardown')).result).to.deep.equal({});
    await soon('the client is closed', host.client.closed);
    expect(reported.map(String)).to.deep.equal(['Error: full']);
  });

  it('rejects requests that it does not know', async () => {
    const app = await openApp();
    const scripted = new ScriptedHost(app);
    await app.connect();
    expect((await scripted.request('tools/list')).error).to.include({ code: -32601 });
  });
});

describe('the size of an app', () => {
  afterEach(removeApps);

  /** An app in a host that follows its reports, with `extra` pixels more. */
  async function openSized(css: string, initialized: object = {}, extra = 0) {
    const app = await openApp();
    const { document } = app.window;
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
    const heights: number[] = [];
    addEventListener('message', ({ source, data }) => {
      if (source !== app.window || data.method !== 'ui/notifications/size-changed') return;
      heights.push(data.params.height);
      app.element.style.height = `${data.params.height + extra}px`;
    });
    const scripted = new ScriptedHost(app, initialized);
    await app.connect();
    await drawn(app, 40);
    const main = document.querySelector('main')!;
    const setHeight = async (height: number): Promise<void> => {
      main.style.height = `${height}px`;
      await drawn(app, 20);
    };
    return { app, scripted, heights, setHeight };
  }

  it('follows the content, larger and smaller', async () => {
    const { heights, setHeight } = await openSized('body{margin:8px}main{height:500px}');
    for (const height of [600, 700, 100, 800, 900, 1000]) await setHeight(height);
    expect(heights).to.deep.equal([516, 616, 716, 116, 816, 916, 1016]);
  });

  it('is that of the content where the document is as high as its frame', async () => {
    const css = 'html,body{height:100%;margin:0}main{height:300px}';
    expect((await openSized(css)).heights).to.deep.equal([300]);
  });

  for (const [name, css, extra] of [
    ['higher than its frame', 'body{margin:8px}main{min-height:100vh}', 0],
    ['in a host that adds a border', 'body{margin:8px}main{min-height:100vh}', 2],
    ['half as high again as its frame', 'body{margin:0}main{min-height:150vh}', 0],
  ] as const)
    it(`does not grow without end in a document ${name}`, async () => {
      const { heights, setHeight } = await openSized(css, {}, extra);
      expect(heights.length).to.equal(3);
      // But with its content, also then.
      await setHeight(5_000);
      expect(Math.max(...heights)).to.be.at.least(5_000);
      expect(heights.length).to.be.at.most(6);
    });

  it('is not reported while the host says how high the frame is', async () => {
    const hostContext = { containerDimensions: { height: 400 } };
    const { app, heights, scripted } = await openSized('main{height:500px}', { hostContext });
    expect(heights).to.deep.equal([]);
    const free = { containerDimensions: { maxHeight: 900 }, displayMode: 'inline' };
    scripted.notify('ui/notifications/host-context-changed', free);
    await app.message('ui/notifications/size-changed');
    scripted.notify('ui/notifications/host-context-changed', { displayMode: 'fullscreen' });
    await drawn(app);
    expect(heights.length).to.equal(1);
    // A host may have forgotten how high the app was before.
    scripted.notify('ui/notifications/host-context-changed', { displayMode: 'inline' });
    await app.message('ui/notifications/size-changed', 2);
    await drawn(app);
    expect(heights[1]).to.equal(heights[0]);
  });
});
