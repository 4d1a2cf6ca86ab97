import type { ClientTransport } from '@inpage-mcp/client';
import { AppSession, readApp, sourcesOf, type AppHooks } from '@inpage-mcp/client/app-host';
import { expect } from '@open-wc/testing';
// Internal: what bounds each message of an app.
import { isModestJson } from '../../packages/client/src/app-host/json-size.js';
import { openAppServer, type AppServer } from '../support/app-server.js';
import { eventually } from '../support/elements.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number };
}

/** An app that says exactly what a test wants. */
class FakeApp implements ClientTransport {
  onmessage: ClientTransport['onmessage'];
  onclose: ClientTransport['onclose'];
  readonly received: Message[] = [];
  #lastId = 0;

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  async send(message: object): Promise<void> {
    this.received.push(structuredClone(message));
  }

  /** As a port delivers it. */
  say(message: object): void {
    this.onmessage?.(structuredClone({ jsonrpc: '2.0', ...message }) as never);
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = `app-${(this.#lastId += 1)}`;
    this.say({ id, method, params });
    return await eventually(() => this.received.find((one) => one.id === (id as never)));
  }

  /** The notifications and requests of the host with this method. */
  got(method: string): Message[] {
    return this.received.filter((one) => one.method === method);
  }

  async initialize(): Promise<void> {
    await this.request('ui/initialize', { appInfo: {}, appCapabilities: { tools: {} } });
    this.say({ method: 'ui/notifications/initialized' });
  }
}

describe('AppSession', () => {
  let server: AppServer;
  let app: FakeApp;

  const open = async (hooks: AppHooks = {}): Promise<AppSession> => {
    server = await openAppServer('');
    app = new FakeApp();
    const session = new AppSession({ client: server.client, transport: app, hooks });
    await session.start();
    await app.initialize();
    return session;
  };

  afterEach(() => server.client.close());

  it('settles whatever the app answers, also with what cannot become a text or a number', async () => {
    const session = await open();
    const hostile = { toString: 1, valueOf: 1 };
    const call = session.callTool('own').then(
      () => 'result',
      () => 'error',
    );
    const { id } = await eventually(() => app.got('tools/call')[0]);
    app.say({ id, error: { code: hostile, message: hostile } });
    expect(await call).to.equal('error');
    const gone = session.teardown();
    const last = await eventually(() => app.got('ui/resource-teardown')[0]);
    app.say({ id: last.id, error: { code: 1, message: hostile } });
    await gone;
    expect(session.isEnded).to.equal(true);
  });

  it('refuses values that JSON does not have, before anything walks through them', async () => {
    const seen: unknown[] = [];
    await open({ sendMessage: (content) => seen.push(content) > 0, mayCall: () => true });
    const holes: unknown[] = [];
    holes.length = 2 ** 32 - 1;
    const nested = Array.from({ length: 1_000 }, () => holes.slice(0, 1_000));
    for (const content of [holes, [1n], [[holes]], nested]) {
      expect((await app.request('ui/message', { content })).error?.code).to.equal(-32602);
      const call = { name: 'write', arguments: { content } };
      expect((await app.request('tools/call', call)).error?.code).to.equal(-32602);
    }
    expect(seen).to.deep.equal([]);
    expect(server.writes).to.deep.equal([]);
  });

  it('sends the input and the result once, however often the page sets the same', async () => {
    const session = await open();
    for (let n = 0; n < 3; n += 1) {
      session.setInput({ a: { b: 1 } });
      session.setResult({ content: [{ type: 'text', text: 'Done.' }] });
    }
    expect(app.got('ui/notifications/tool-input')).to.have.length(1);
    expect(app.got('ui/notifications/tool-result')).to.have.length(1);
    session.setInput({ a: { b: 2 } });
    expect(app.got('ui/notifications/tool-input')).to.have.length(2);
  });

  it('tells the app of the page also with values of a server that JSON does not have', async () => {
    const session = await open();
    const circle: { self?: unknown } = {};
    circle.self = circle;
    session.setContext({ toolInfo: circle });
    session.setContext({ toolInfo: circle, theme: 'dark' });
    const [, second] = app.got('ui/notifications/host-context-changed');
    expect(second!.params).to.deep.equal({ theme: 'dark' });
  });

  it('tells an app what changed between its first words', async () => {
    server = await openAppServer('');
    app = new FakeApp();
    const session = new AppSession({
      client: server.client,
      transport: app,
      context: { theme: 'light', locale: 'en' },
    });
    await session.start();
    await app.request('ui/initialize', { appInfo: {}, appCapabilities: {} });
    session.setContext({ theme: 'dark', locale: 'en' });
    session.setPartialInput({ a: 'h' });
    expect(app.received).to.have.length(1);
    app.say({ method: 'ui/notifications/initialized' });
    session.setContext({ theme: 'dark' });
    const changes = app.got('ui/notifications/host-context-changed');
    expect(changes.map(({ params }) => params)).to.deep.equal([{ theme: 'dark' }]);
    const partials = app.got('ui/notifications/tool-input-partial');
    expect(partials.map(({ params }) => params)).to.deep.equal([{ arguments: { a: 'h' } }]);
    session.setInput({ a: 'hello' });
    // A document that starts again has the present context from the answer, and the whole input.
    await app.initialize();
    expect(app.got('ui/notifications/host-context-changed')).to.have.length(1);
    expect(app.got('ui/notifications/tool-input-partial')).to.have.length(1);
    expect(app.got('ui/notifications/tool-input')).to.have.length(2);
  });

  it('shows an app without a server, and refuses in words what the app asks of it', async () => {
    server = await openAppServer('');
    app = new FakeApp();
    const session = new AppSession({ transport: app, hooks: { mayCall: () => true } });
    const { result } = await app.request('ui/initialize', {});
    expect(result!['hostCapabilities']).to.have.all.keys('logging', 'experimental');
    const refusal = { code: -32000, message: 'This app is shown without its server.' };
    for (const method of ['tools/list', 'tools/call', 'resources/read', 'resources/subscribe'])
      expect((await app.request(method, { name: 'a' })).error).to.deep.equal(refusal);
    expect((await app.request('ping')).result).to.deep.equal({});
    session.end();
  });

  it('stops reading a list without end when the app has ended', async () => {
    const session = await open();
    let pages = 0;
    const { client } = server;
    const endless = {
      ...client,
      serverCapabilities: { tools: {} },
      watchTools: client.watchTools.bind(client),
      async listTools({ signal }: { signal?: AbortSignal } = {}) {
        signal?.throwIfAborted();
        pages += 1;
        await new Promise((resolve) => setTimeout(resolve));
        return {
          tools: [{ name: `t${pages}`, inputSchema: { type: 'object' } }],
          nextCursor: `${pages}`,
        };
      },
    };
    session.end();
    app = new FakeApp();
    const other = new AppSession({ client: endless as never, transport: app });
    await other.start();
    app.say({ id: 1, method: 'tools/list' });
    await eventually(() => pages > 3);
    other.end();
    const read = pages;
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pages - read).to.be.at.most(1);
  });

  it('takes 64 open requests, and refuses the 65th', async () => {
    await open({ sendMessage: () => new Promise(() => undefined) });
    for (let n = 1; n <= 64; n += 1)
      app.say({ id: n, method: 'ui/message', params: { content: [] } });
    await new Promise((resolve) => setTimeout(resolve));
    expect(app.received.filter(({ error }) => error)).to.deep.equal([]);
    expect((await app.request('ping')).error?.code).to.equal(-32000);
    app.say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await app.request('ping')).result).to.deep.equal({});
  });

  it('takes 256 watches, and refuses the 257th', async () => {
    await open();
    const subscribe = (uri: string) => app.request('resources/subscribe', { uri });
    for (let n = 0; n < 256; n += 8) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => subscribe(`a:${n + index}`)),
      );
      expect(answers.filter(({ error }) => error)).to.deep.equal([]);
    }
    expect((await subscribe('a:256')).error?.code).to.equal(-32000);
    await app.request('resources/unsubscribe', { uri: 'a:0' });
    expect((await subscribe('a:256')).result).to.deep.equal({});
  });

  it('takes 2,000 messages in a second, and ends with the next', async () => {
    const { now } = performance;
    let flooded = 0;
    const session = await open({ flooded: () => (flooded += 1) });
    try {
      const at = performance.now() + 2_000;
      performance.now = () => at;
      for (let n = 0; n < 2_000; n += 1) app.say({ method: 'a/b' });
      expect([session.isEnded, flooded]).to.deep.equal([false, 0]);
      app.say({ method: 'a/b' });
      expect([session.isEnded, flooded]).to.deep.equal([true, 1]);
    } finally {
      performance.now = now;
    }
  });

  it('takes texts of 32 Mi characters and 200,000 values, and none more', () => {
    const length = 32 * 1024 * 1024;
    expect(isModestJson('a'.repeat(length))).to.equal(true);
    expect(isModestJson('a'.repeat(length + 1))).to.equal(false);
    // The array is a value, too.
    expect(isModestJson(Array.from({ length: 199_999 }, () => 1))).to.equal(true);
    expect(isModestJson(Array.from({ length: 200_000 }, () => 1))).to.equal(false);
  });

  it('answers with an error where the page gives what cannot be sent', async () => {
    await open({ createMessage: async () => ({ role: () => 'a function' }) });
    const params = { messages: [], maxTokens: 1 };
    const { error } = await app.request('sampling/createMessage', params);
    expect(error).to.include({ code: -32603 });
  });

  it('lists 50 tools of an app, and follows it to 20,000 pixels', async () => {
    const sizes: object[] = [];
    const session = await open({ resize: (size) => void sizes.push(size) });
    const listed = session.listTools();
    const { id } = await eventually(() => app.got('tools/list')[0]);
    const tools = Array.from({ length: 51 }, (_, n) => ({
      name: `t${n}`,
      inputSchema: { type: 'object' },
    }));
    app.say({ id, result: { tools: tools.slice(0, 30), nextCursor: 'more' } });
    const { id: next, params } = await eventually(() => app.got('tools/list')[1]);
    expect(params).to.deep.equal({ cursor: 'more' });
    app.say({ id: next, result: { tools: tools.slice(30), nextCursor: 'even more' } });
    const page = await listed;
    expect(page.tools).to.have.length(50);
    expect(page).not.to.have.property('nextCursor');
    for (const height of [20_000, 20_001])
      app.say({ method: 'ui/notifications/size-changed', params: { height } });
    expect(sizes).to.deep.equal([{ height: 20_000 }, { height: 20_000 }]);
  });

  it('takes 50 sources of a kind, and a document of 16 Mi characters', async () => {
    const sources = Array.from({ length: 51 }, (_, n) => `https://s${n}.example`);
    expect(sourcesOf(sources)).to.deep.equal(sources.slice(0, 50));
    const length = 16 * 1024 * 1024;
    await open();
    const read = (extra: number) => {
      const contents = [
        {
          uri: 'ui://a',
          mimeType: 'text/html;profile=mcp-app',
          text: 'a'.repeat(length + extra),
          _meta: { ui: {} },
        },
      ];
      return readApp(
        { ...server.client, readResource: async () => ({ contents }) } as never,
        'ui://a',
      );
    };
    expect((await read(0)).html).to.have.length(length);
    const error = await read(1).catch((one: unknown) => one as { code: string });
    expect(error).to.include({ code: 'invalid-result' });
  });

  it('reads a document that came as bytes', async () => {
    await open();
    const read = (blob: string, handle?: Blob) => {
      const _meta = { ui: {}, ...(handle && { 'io.github.inpage-mcp/blob': handle }) };
      const contents = [{ uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', blob, _meta }];
      return readApp(
        { ...server.client, readResource: async () => ({ contents }) } as never,
        'ui://a',
      );
    };
    expect((await read(btoa('<p>one'))).html).to.equal('<p>one');
    expect((await read('', new Blob(['<p>two']))).html).to.equal('<p>two');
    expect(await failureOf(read('?'))).to.include({ code: 'invalid-result' });
  });

  describe('waits for an app', () => {
    const timers = useFakeTimers();

    it('for 30 s for a call of its own tool, and then takes the call back', async () => {
      const session = await open();
      const calls = [session.callTool('in time'), failureOf(session.callTool('late'))] as const;
      const [inTime, late] = app.got('tools/call').map(({ id }) => id);
      timers.pass(29_999);
      app.say({ id: inTime, result: { content: [] } });
      expect((await calls[0]).content).to.deep.equal([]);
      expect(app.got('notifications/cancelled')).to.deep.equal([]);
      timers.pass(1);
      const [cancelled] = app.got('notifications/cancelled');
      expect(cancelled?.params).to.deep.equal({ requestId: late });
      expect(await calls[1]).to.include({ code: 'timeout' });
      app.say({ id: late, result: { content: [] } });
      expect(session.isEnded).to.equal(false);
    });

    it('for 2 s to save what it has', async () => {
      const session = await open();
      const gone = session.teardown();
      timers.pass(1_999);
      await new Promise(requestAnimationFrame);
      expect(session.isEnded).to.equal(false);
      timers.pass(1);
      await new Promise(requestAnimationFrame);
      expect(session.isEnded).to.equal(true);
      await gone;
      expect(app.got('ui/resource-teardown')).to.have.length(1);
    });
  });
});
