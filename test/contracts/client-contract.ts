import { expect } from '@esm-bundle/chai';
import { ClientError, McpError, rangeOf, type McpClient } from '@inpage-mcp/client';
import { defineTool, McpServer } from '@inpage-mcp/protocol';
import { MessagePortTransport, type JsonRpcMessage } from '@inpage-mcp/transport';
import { wholeServer } from '../protocol/whole-server.js';
import { failureOf } from '../support/failure.js';
import { reportedErrors } from '../support/reported-errors.js';
import { soon } from '../support/within.js';

/** A transport that keeps the methods of what is sent. */
class RecordingTransport extends MessagePortTransport {
  readonly methods: string[] = [];

  override async send(message: JsonRpcMessage): Promise<void> {
    if ('method' in message) this.methods.push(message.method);
    await super.send(message);
  }
}

/** A listener that can be waited for. */
export class CountingListener {
  calls = 0;
  #waiters = new Map<number, () => void>();

  readonly call = (): void => {
    this.calls += 1;
    this.#waiters.get(this.calls)?.();
  };

  /** Resolves with the call of this number, counted from 1. */
  async called(number: number): Promise<void> {
    if (this.calls >= number) return;
    const called = new Promise<void>((resolve) => this.#waiters.set(number, resolve));
    await soon(`call ${number} of the listener`, called);
  }
}

/** Connects a client of some kind. */
export type ConnectContractClient = (transport: MessagePortTransport) => Promise<McpClient>;

const ignore = (): void => undefined;

/** The behaviour of every client, whatever it is made of. */
export function describeClientContract(
  name: string,
  era: 'modern' | 'legacy',
  connect: ConnectContractClient,
): void {
  describe(`${name} keeps the contract of a client`, () => {
    let serving: ReturnType<typeof wholeServer>;
    let transport: RecordingTransport;
    let client: McpClient;

    async function connectTo(server: McpServer): Promise<McpClient> {
      const { port1, port2 } = new MessageChannel();
      server.serve(port2);
      transport = new RecordingTransport(port1);
      return await connect(transport);
    }

    /** How often a message with this method was sent. */
    const sent = (method: string): number =>
      transport.methods.filter((one) => one === method).length;

    beforeEach(async () => {
      serving = wholeServer();
      client = await connectTo(serving.server);
    });

    afterEach(async () => {
      await client.close();
      serving.server.close();
    });

    it('knows the server', () => {
      expect(client.serverInfo).to.include({ name: 'alone', version: '1' });
      expect(client.serverCapabilities).to.deep.include({
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        prompts: { listChanged: true },
      });
      expect(client.state).to.equal('open');
    });

    it('lists one page at a time', async () => {
      const first = await client.listResources();
      expect(first.resources.map(({ uri }) => uri)).to.deep.equal(['a:text']);
      const second = await client.listResources({ cursor: first.nextCursor });
      expect(second.resources.map(({ uri }) => uri)).to.deep.equal(['a:blob']);
      expect(second.nextCursor).to.equal(undefined);
      const pages: number[] = [];
      for await (const page of client.resources()) pages.push(page.length);
      expect(pages).to.deep.equal([1, 1]);
    });

    it('lists templates, tools and prompts', async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ name }) => name)).to.deep.equal(['item']);
      const { tools } = await client.listTools();
      const route = tools.find((tool) => tool.name === 'route')!;
      expect(route.inputSchema.required).to.deep.equal(['to']);
      const { prompts } = await client.listPrompts();
      expect(prompts[0]!.arguments).to.deep.equal([{ name: 'animal', required: true }]);
    });

    it('reads texts and bytes, of which the server knows no ranges', async () => {
      const range = { offset: 1, length: 2 };
      const [text] = (await client.readResource('a:text', { range })).contents;
      expect(text).to.deep.equal({ uri: 'a:text', text: 'Text.' });
      expect(rangeOf(text!)).to.equal(undefined);
      const [blob] = (await client.readResource('a:blob')).contents;
      expect(blob).to.deep.equal({ uri: 'a:blob', blob: 'AAAA' });
    });

    it('rejects with the error of the server', async () => {
      const missing = await failureOf(client.readResource('a:missing'));
      expect(missing).to.be.instanceOf(McpError).and.include({ code: -32602 });
      expect((missing as McpError).message).to.match(/^Resource not found/);
      expect((missing as McpError).data).to.deep.equal({ uri: 'a:missing' });
      expect(await failureOf(client.callTool('missing')))
        .to.be.instanceOf(McpError)
        .and.include({ code: -32602 });
    });

    it('calls tools', async () => {
      const { structuredContent } = await client.callTool('route', { to: 'Rome' });
      expect(structuredContent).to.deep.equal({ to: 'Rome' });
      expect(await client.callTool('fails')).to.include({ isError: true });
      const { content } = await client.callTool('media');
      expect(content.map(({ type }) => type)).to.deep.equal(['image', 'resource', 'resource_link']);
    });

    it('reports progress, even to a listener that throws', async () => {
      const values: number[] = [];
      const reported = await reportedErrors(async () => {
        await client.callTool(
          'reports',
          {},
          {
            onprogress({ progress }) {
              values.push(progress);
              throw new Error('broken');
            },
          },
        );
      });
      expect(values).to.deep.equal([0, 1, 2]);
      expect(reported.map(String)).to.deep.equal(Array(3).fill('Error: broken'));
    });

    it('gives up after the timeout, and cancels the call', async () => {
      const error = await failureOf(client.callTool('waits', {}, { timeoutMs: 20 }));
      expect(error).to.be.instanceOf(ClientError).and.include({ code: 'timeout' });
      expect((error as Error).message).to.equal(
        'The server did not answer tools/call within 20 ms.',
      );
      await soon('the call is aborted', serving.isAborted);
    });

    it('gives up after the total time, even with progress', async () => {
      const options = { onprogress: ignore, timeoutMs: 60_000, totalTimeoutMs: 20 };
      const error = await failureOf(client.callTool('waits', {}, options));
      expect(error).to.be.instanceOf(ClientError).and.include({ code: 'timeout' });
      await soon('the call is aborted', serving.isAborted);
    });

    it('waits without a limit if asked to', async () => {
      const { content } = await client.callTool('reports', {}, { timeoutMs: Infinity });
      expect(content[0]).to.include({ text: 'Done.' });
    });

    it('rejects with the reason of its signal, and cancels the call', async () => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const reason = new Error('enough');
      const onprogress = (): void => stopping.abort(reason);
      const call = client.callTool('waits', {}, { onprogress, signal });
      expect(await failureOf(call)).to.equal(reason);
      await soon('the call is aborted', serving.isAborted);
      expect(await failureOf(client.listTools({ signal }))).to.equal(reason);
      expect(sent('tools/list')).to.equal(0);
    });

    it('cancels nothing if the signal aborts after the answer', async () => {
      const stopping = new AbortController();
      await client.listTools({ signal: stopping.signal });
      stopping.abort();
      await client.listPrompts();
      expect(sent('notifications/cancelled')).to.equal(0);
    });

    it('gives prompts, and completes arguments', async () => {
      const { messages } = await client.getPrompt('describe', { animal: 'cat' });
      expect(messages[0]!.content).to.include({ text: 'Describe a cat.' });
      const prompt = { type: 'ref/prompt', name: 'describe' } as const;
      const animal = await client.complete(prompt, { name: 'animal', value: 'ca' });
      expect(animal.values).to.deep.equal(['cat', 'camel']);
      const template = { type: 'ref/resource', uri: 'a:items/{item}' } as const;
      const context = { other: 'x' };
      const item = await client.complete(template, { name: 'item', value: 'y' }, { context });
      expect(item).to.deep.equal({ values: ['y1'], total: 1, hasMore: false });
    });

    it('shares a subscription, and ends it with the last watch', async () => {
      const [subscribe, unsubscribe] =
        era === 'modern'
          ? ['subscriptions/listen', 'notifications/cancelled']
          : ['resources/subscribe', 'resources/unsubscribe'];
      const [first, second] = [new CountingListener(), new CountingListener()];
      const watches = [client.watch('a:text', first.call), client.watch('a:text', second.call)];
      await Promise.all(watches.map(({ ready }) => ready));
      expect(sent(subscribe!)).to.equal(1);
      serving.change('a:blob');
      serving.change('a:text');
      await Promise.all([first.called(1), second.called(1)]);
      watches[0]!.stop();
      // A round trip: what the watch has caused is done.
      await client.listTools();
      serving.change('a:text');
      await second.called(2);
      expect(sent(unsubscribe!)).to.equal(0);
      watches[1]!.stop();
      await client.listTools();
      await client.listTools();
      expect([sent(subscribe!), sent(unsubscribe!)]).to.deep.equal([1, 1]);
      expect([first.calls, second.calls]).to.deep.equal([1, 2]);
    });

    it('continues to watch one resource while others come and go', async () => {
      const [text, blob] = [new CountingListener(), new CountingListener()];
      await client.watch('a:text', text.call).ready;
      for (let round = 1; round <= 3; round += 1) {
        const other = client.watch('a:blob', blob.call);
        await other.ready;
        // A round trip: the previous subscription has ended.
        await client.listTools();
        serving.change('a:text');
        serving.change('a:blob');
        await Promise.all([text.called(round), blob.called(round)]);
        other.stop();
      }
      await client.listTools();
      expect([text.calls, blob.calls]).to.deep.equal([3, 3]);
    });

    it('watches a resource again right after the last watch of it has stopped', async () => {
      const listener = new CountingListener();
      const watch = client.watch('a:text', listener.call);
      await watch.ready;
      watch.stop();
      await client.watch('a:text', listener.call).ready;
      serving.change('a:text');
      await listener.called(1);
    });

    it('notifies of changes of lists', async () => {
      const [resources, tools, prompts] = [1, 2, 3].map(() => new CountingListener()) as [
        CountingListener,
        CountingListener,
        CountingListener,
      ];
      const watches = [
        client.watchList(resources.call),
        client.watchTools(tools.call),
        client.watchPrompts(prompts.call),
      ];
      await Promise.all(watches.map(({ ready }) => ready));
      serving.change('a:new', true);
      await resources.called(1);
      serving.server.addTool(defineTool({ name: 'added', run: () => 'Added.' }));
      await tools.called(1);
      expect([resources.calls, tools.calls, prompts.calls]).to.deep.equal([1, 1, 0]);
    });

    it('does not watch after its signal', async () => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const { ready } = client.watch('a:text', ignore, { signal });
      expect(await failureOf(ready)).to.equal(reason);
      const stopping = new AbortController();
      const listener = new CountingListener();
      await client.watchList(listener.call, { signal: stopping.signal }).ready;
      stopping.abort();
      serving.change('a:new', true);
      await client.listTools();
      expect(listener.calls).to.equal(0);
    });

    it('rejects a watch of what the server does not report', async () => {
      const tools = [defineTool({ name: 'only', run: () => 'Done.' })];
      const server = new McpServer({ name: 'bare', version: '1' }, { tools });
      const other = await connectTo(server);
      for (const { ready } of [other.watch('a:text', ignore), other.watchList(ignore)])
        expect(await failureOf(ready)).to.include({ code: 'unsupported' });
      await other.close();
      server.close();
    });

    it('ends when the server closes', async () => {
      const states: string[] = [];
      client.watchState((state) => states.push(state));
      const listener = new CountingListener();
      await client.watch('a:text', listener.call).ready;
      const pending = failureOf(client.callTool('waits'));
      serving.server.close();
      await soon('the client is closed', client.closed);
      expect(await pending)
        .to.be.instanceOf(ClientError)
        .and.include({ code: 'closed' });
      expect(client.state).to.equal('closed');
      expect(states).to.deep.equal(['closed']);
      expect(listener.calls).to.equal(0);
    });

    it('rejects everything after it was closed', async () => {
      const pending = failureOf(client.callTool('waits'));
      await client.close();
      expect(await pending).to.include({ code: 'closed' });
      await client.closed;
      expect(await failureOf(client.listTools())).to.include({ code: 'closed' });
      expect(await failureOf(client.watch('a:text', ignore).ready)).to.include({ code: 'closed' });
      await client.close();
    });
  });
}
