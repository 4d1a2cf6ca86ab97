import { expect } from '@esm-bundle/chai';
import type { AppTool, Host } from '@inpage-mcp/client/app';
import type { Tool } from '@inpage-mcp/client';
import { defineTool, type McpServer } from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  AppBridge as AppBridgeV1,
  PostMessageTransport as PostMessageTransportV1,
} from 'ext-apps-1/app-bridge';
import { CountingListener } from '../contracts/client-contract.js';
import { wholeServer } from '../protocol/whole-server.js';
import { failureOf } from '../support/failure.js';
import { itInAll } from '../support/it-in-all.js';
import { eventually, soon } from '../support/within.js';
import { nextEvent, openApp, removeApps, type AppFrame } from './app-frames.js';

const INFO = { name: 'official', version: '1' };

const CAPABILITIES = {
  openLinks: {},
  downloadFile: {},
  serverTools: { listChanged: true },
  serverResources: { listChanged: true },
  logging: {},
  updateModelContext: { text: {} },
  message: { text: {} },
};

const CONTEXT = {
  theme: 'dark',
  locale: 'it',
  displayMode: 'inline',
  availableDisplayModes: ['inline', 'fullscreen'],
  styles: { variables: { '--color-text-primary': 'red' }, css: { fonts: '@font-face {}' } },
  safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
};

/** The parts of both versions that are used here. */
type Bridge = AppBridge;

const CURRENT = async (transport: MessagePortTransport): Promise<Bridge> => {
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return new AppBridge(client, INFO, CAPABILITIES, { hostContext: CONTEXT as never });
};

const BEFORE = async (transport: MessagePortTransport): Promise<Bridge> => {
  const client = new ClientV1(INFO);
  await client.connect(transport as never);
  const options = { hostContext: CONTEXT as never };
  return new AppBridgeV1(client as never, INFO, CAPABILITIES, options) as never;
};

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

const note: AppTool = {
  name: 'opened_note',
  description: 'The note that is open.',
  annotations: { readOnlyHint: true },
  run({ fails }) {
    if (fails) throw new Error('Nothing is open.');
    return { content: [{ type: 'text', text: 'One' }] };
  },
};

for (const [version, makeBridge, Transport] of [
  ['2.0.4', CURRENT, PostMessageTransport],
  ['1.7.5', BEFORE, PostMessageTransportV1],
] as const)
  describe(`an app in version ${version} of the official host`, () => {
    let serving: ReturnType<typeof wholeServer>;
    let app: AppFrame;
    let bridge: Bridge;
    let host: Host;
    let saved = 0;

    async function openBridge(server: McpServer): Promise<void> {
      const { port1, port2 } = new MessageChannel();
      server.serve(port2);
      bridge = await makeBridge(new MessagePortTransport(port1));
      app = await openApp();
      await bridge.connect(new Transport(app.window, app.window) as never);
    }

    const { debug } = console;

    before(() => {
      // The official transports write every message there.
      console.debug = () => undefined;
    });

    after(() => {
      console.debug = debug;
    });

    const nextFrom = (event: 'initialized' | 'loggingmessage' | 'requestteardown') =>
      new Promise<unknown>((resolve) => bridge.addEventListener(event, resolve as () => void));

    beforeEach(async () => {
      serving = wholeServer();
      saved = 0;
      await openBridge(serving.server);
      const initialized = nextFrom('initialized');
      host = await app.connect({
        appInfo: { name: 'notes', version: '2' },
        displayModes: ['inline', 'fullscreen'],
        tools: [note],
        onteardown: async () => {
          await Promise.resolve();
          saved += 1;
        },
      });
      await soon('the app is initialized', initialized);
    });

    afterEach(async () => {
      removeApps();
      await bridge.close();
      serving.server.close();
    });

    it('knows the host, and the host knows it', () => {
      expect(host.info).to.deep.include(INFO);
      expect(host.capabilities).to.have.all.keys(Object.keys(CAPABILITIES));
      expect(host.context).to.deep.include({ theme: 'dark', locale: 'it' });
      expect(bridge.getAppVersion()).to.deep.equal({ name: 'notes', version: '2' });
      const { availableDisplayModes, tools } = bridge.getAppCapabilities()!;
      expect([availableDisplayModes, tools]).to.deep.equal([['inline', 'fullscreen'], {}]);
    });

    it('reads, lists and calls what its server has', async () => {
      const { client } = host;
      expect((await client.listResources()).resources.map(({ uri }) => uri)).to.deep.equal([
        'a:text',
      ]);
      expect((await client.listResourceTemplates()).resourceTemplates).to.have.length(1);
      expect((await client.readResource('a:text')).contents).to.deep.equal([
        { uri: 'a:text', text: 'Text.' },
      ]);
      const { structuredContent } = await client.callTool('route', { to: 'Rome' });
      expect(structuredContent).to.deep.equal({ to: 'Rome' });
      expect(await client.callTool('fails')).to.include({ isError: true });
      expect(await failureOf(client.readResource('a:missing'))).to.include({ name: 'McpError' });
      const progress: number[] = [];
      await client.callTool('reports', {}, { onprogress: (one) => progress.push(one.progress) });
      expect(await failureOf(client.listTools())).to.include({ code: -32601 });
    });

    it('keeps input, result and cancellation for listeners that come late', async () => {
      const seen: string[] = [];
      for (const type of ['partialinput', 'input', 'result', 'cancelled'])
        host.addEventListener(type, () => seen.push(type));
      await bridge.sendToolInputPartial({ arguments: { query: 'a' } });
      await nextEvent(host, 'partialinput');
      expect(host.input).to.deep.equal({ arguments: { query: 'a' }, isComplete: false });
      await bridge.sendToolInput({ arguments: { query: 'abc' } });
      await bridge.sendToolInputPartial({ arguments: { query: 'late' } });
      const structuredContent = { found: 2 };
      await bridge.sendToolResult({ content: [], structuredContent });
      await nextEvent(host, 'result');
      expect(host.input).to.deep.equal({ arguments: { query: 'abc' }, isComplete: true });
      expect(host.data()).to.deep.equal(structuredContent);
      await bridge.sendToolResult({ content: [{ type: 'text', text: '{"found":3}' }] });
      await bridge.sendToolCancelled({ reason: 'enough' });
      await nextEvent(host, 'cancelled');
      expect(host.data()).to.deep.equal({ found: 3 });
      expect(host.cancelled).to.deep.equal({ reason: 'enough' });
      expect(seen).to.deep.equal(['partialinput', 'input', 'result', 'result', 'cancelled']);
    });

    it('looks as its host does, now and after a change', async () => {
      const root = app.window.document.documentElement;
      const style = app.window.getComputedStyle(root);
      const look = (): string[] => [
        root.dataset['theme']!,
        style.colorScheme,
        style.getPropertyValue('--color-text-primary'),
        root.lang,
        style.getPropertyValue('--safe-area-bottom'),
      ];
      expect(look()).to.deep.equal(['dark', 'dark', 'red', 'it', '3px']);
      expect(app.window.document.querySelector('style')!.textContent).to.equal('@font-face {}');
      const styles = { variables: { '--color-text-primary': 'blue' } } as never;
      bridge.setHostContext({ ...CONTEXT, theme: 'light', styles } as never);
      await nextEvent(host, 'context');
      expect(look()).to.deep.equal(['light', 'light', 'blue', 'it', '3px']);
      expect(host.context).to.deep.include({ theme: 'light', locale: 'it' });
    });

    it('asks its host for what a frame cannot do', async () => {
      const asked: unknown[] = [];
      const take = async (params: unknown): Promise<{ [name: string]: unknown }> => {
        asked.push(params);
        return {};
      };
      bridge.onopenlink = bridge.onmessage = bridge.ondownloadfile = take;
      bridge.onupdatemodelcontext = take;
      bridge.onrequestdisplaymode = async () => ({ mode: 'fullscreen' });
      await host.openLink('https://example.com');
      await host.sendMessage('Hello');
      const link = { type: 'resource_link', uri: 'a:text', name: 'text' } as const;
      await host.updateContext({ content: [link] });
      await host.downloadFile(link);
      const content = [{ type: 'text', text: 'Hello' }];
      expect(asked).to.deep.equal([
        { url: 'https://example.com' },
        { role: 'user', content },
        { content: [link] },
        { contents: [link] },
      ]);
      expect(await host.requestDisplayMode('fullscreen')).to.equal('fullscreen');
      const logged = nextFrom('loggingmessage');
      const ending = nextFrom('requestteardown');
      host.log('info', { opened: 1 });
      host.requestTeardown();
      expect(await soon('the log', logged)).to.deep.equal({ level: 'info', data: { opened: 1 } });
      await soon('the request to end', ending);
    });

    it('says what its host refuses', async () => {
      bridge.onopenlink = async () => ({ isError: true });
      const refused = await failureOf(host.openLink('https://example.com'));
      expect(refused).to.include({ name: 'ClientError', code: 'refused' });
      bridge.onmessage = () => Promise.reject(new Error('Not now.'));
      expect(await failureOf(host.sendMessage('Hello'))).to.include({ name: 'McpError' });
      expect(await failureOf(host.requestDisplayMode('pip'))).to.include({ code: 'unsupported' });
    });

    it('lets its host call its own tools', async () => {
      const { tools } = await bridge.listTools({});
      expect(tools).to.have.length(1);
      expect(tools[0]).to.include({ name: 'opened_note' });
      const call = (name: string, args = {}) => bridge.callTool({ name, arguments: args });
      expect((await call('opened_note')).content).to.deep.equal([{ type: 'text', text: 'One' }]);
      expect(await call('opened_note', { fails: true })).to.deep.include({
        isError: true,
        content: [{ type: 'text', text: 'Nothing is open.' }],
      });
      expect(await failureOf(call('unknown'))).to.include({ code: -32602 });
    });

    it('saves before it is taken away, and is closed then', async () => {
      const watch = host.client.watchList(() => undefined);
      const pending = failureOf(host.client.callTool('waits'));
      await bridge.teardownResource({});
      expect(saved).to.equal(1);
      await soon('the client is closed', host.client.closed);
      expect(await pending).to.include({ code: 'closed' });
      expect(await failureOf(host.openLink('https://example.com'))).to.include({ code: 'closed' });
      await watch.ready.catch(() => undefined);
    });

    /** Opens the app again, in a host that knows no list of tools. */
    async function openWith(serverTools: Tool[]): Promise<void> {
      removeApps();
      await bridge.close();
      await openBridge(serving.server);
      host = await app.connect({ serverTools });
    }

    it('lists the tools that are known beforehand, where the host has no list', async () => {
      await openWith([tool('route')]);
      for (const _ of [1, 2])
        expect((await host.client.listTools()).tools).to.deep.equal([tool('route')]);
      expect(app.messages('tools/list')).to.have.length(1);
    });

    it('reads again when the user returns, and after its own writes', async () => {
      await openWith([tool('route'), { ...tool('media'), annotations: { readOnlyHint: true } }]);
      const [list, text] = [new CountingListener(), new CountingListener()];
      const { client } = host;
      const metas: unknown[] = [];
      const watches = [client.watchList(list.call), client.watch('a:text', text.call)];
      const other = client.watch('a:blob', (_, meta) => metas.push(meta));
      await Promise.all([...watches, other].map(({ ready }) => ready));
      for (const target of [app.window, app.window.document])
        target.dispatchEvent(new Event(target === app.window ? 'focus' : 'visibilitychange'));
      await Promise.all([list.called(1), text.called(1)]);
      await client.callTool('media');
      await client.callTool('route', { to: 'Rome' });
      await Promise.all([list.called(2), text.called(2)]);
      watches[1]!.stop();
      await client.callTool('route', { to: 'Rome' });
      await list.called(3);
      expect([list.calls, text.calls]).to.deep.equal([3, 2]);
      // Nothing need have changed.
      expect(metas).to.deep.equal([undefined, undefined, undefined]);
    });

    // It waits a while after the failure.
    const itOfNew = version === '2.0.4' ? it : itInAll;
    itOfNew('is notified of changes by a tool of its server that waits for them', async () => {
      const polls: { revision: unknown; answer: (changes: object) => void }[] = [];
      const input = { type: 'object', properties: { revision: { type: 'string' } } } as const;
      const run = async ({ revision }: { revision?: string }) => ({
        structuredContent: (await new Promise<object>((answer) =>
          polls.push({ revision, answer }),
        )) as { [name: string]: unknown },
      });
      serving.server.addTool(defineTool({ name: 'changes_since', input, run }));
      await openWith([tool('changes_since')]);
      const [list, text] = [new CountingListener(), new CountingListener()];
      const watches = [host.client.watchList(list.call), host.client.watch('a:text', text.call)];
      const answer = async (
        index: number,
        revision: string,
        uris: string[],
        listChanged = false,
      ) => {
        await eventually(() => polls.length > index);
        polls[index]!.answer({ revision, uris, listChanged });
      };
      await answer(0, 'a', ['a:text'], true);
      await Promise.all(watches.map(({ ready }) => ready));
      await answer(1, 'b', ['a:text', 'a:other']);
      await text.called(1);
      await answer(2, 'c', ['a:tex'], true);
      await list.called(1);
      expect([list.calls, text.calls]).to.deep.equal([1, 1]);
      // A failure may hide changes, so everything is read again after it.
      await answer(3, 0 as never, []);
      await answer(4, 'd', []);
      await Promise.all([list.called(2), text.called(2)]);
      expect(polls.map(({ revision }) => revision).slice(0, 5)).to.deep.equal([
        undefined,
        'a',
        'b',
        'c',
        undefined,
      ]);
      for (const watch of watches) watch.stop();
    });
  });
