import { connectClient, type Elicit } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import {
  acceptedContent,
  completable,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect } from '@esm-bundle/chai';
import * as z from 'zod';
import { failureOf } from '../support/failure.js';
import { soon } from '../support/within.js';
import { sdkV1, sdkV2, type AnyClient } from './any-client.js';

/** A server that somebody has written with the official SDK, without a thought of ports. */
function makeServer(): McpServer {
  const capabilities = { resources: { subscribe: true, listChanged: true } };
  const server = new McpServer({ name: 'elsewhere', version: '1' }, { capabilities });
  server.registerTool(
    'greet',
    {
      inputSchema: z.object({ name: z.string() }),
      outputSchema: z.object({ greeting: z.string() }),
    },
    ({ name }) => {
      const greeting = `Hello, ${name}.`;
      return { structuredContent: { greeting }, content: [{ type: 'text', text: greeting }] };
    },
  );
  server.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'name');
    if (answer) return { content: [{ type: 'text', text: answer.name }] };
    const form = { message: 'Who are you?', requestedSchema: z.object({ name: z.string() }) };
    return inputRequired({ inputRequests: { name: inputRequired.elicit(form) } });
  });
  server.registerResource('text', 'a:text', {}, ({ href: uri }) => ({
    contents: [{ uri, text: 'Text.' }],
  }));
  const complete = { item: (typed: string) => [`${typed}1`] };
  const template = new ResourceTemplate('a:items/{item}', { list: undefined, complete });
  server.registerResource('item', template, {}, ({ href: uri }, { item }) => ({
    contents: [{ uri, text: String(item) }],
  }));
  const argsSchema = z.object({ animal: completable(z.string(), (typed) => [`${typed}at`]) });
  server.registerPrompt('describe', { argsSchema }, ({ animal }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: animal } }],
  }));
  // The SDK has no subscriptions of the legacy era of its own.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

/** What this test does with either client. */
type Used = Pick<
  AnyClient,
  | 'serverName'
  | 'protocolVersion'
  | 'closed'
  | 'listTools'
  | 'callTool'
  | 'read'
  | 'listPrompts'
  | 'getPrompt'
  | 'complete'
  | 'subscribe'
  | 'close'
>;

const elicit: Elicit = () => ({ action: 'accept', content: { name: 'Ann' } });
const ANSWERS = { elicit, sample: () => ({}), roots: () => ({ roots: [] }) } as never;

async function ownClient(port: MessagePort): Promise<Used> {
  const client = await connectClient(new MessagePortTransport(port), { elicit });
  return {
    serverName: client.serverInfo?.name,
    protocolVersion: client.protocolVersion,
    closed: client.closed,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args) => (await client.callTool(name, args)) as never,
    read: async (uri) => (await client.readResource(uri)).contents as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: (name, args) => client.getPrompt(name, args),
    complete: (ref, name, value) => client.complete(ref as never, { name, value }),
    async subscribe(uri, onUpdated) {
      const watch = client.watch(uri, onUpdated);
      await watch.ready;
      return async () => undefined;
    },
    close: () => client.close(),
  };
}

const CLIENTS: [name: string, version: string, connect: (port: MessagePort) => Promise<Used>][] = [
  ['the client of this project', '2026-07-28', ownClient],
  [
    "the SDK's client, negotiating",
    '2026-07-28',
    (port) => sdkV2(port, 'auto', undefined, ANSWERS),
  ],
  ["the SDK's client, legacy", '2025-11-25', (port) => sdkV2(port, 'legacy', undefined, ANSWERS)],
  ["the SDK's first client", '2025-11-25', (port) => sdkV1(port, ANSWERS)],
];

describe("a server of the official SDK, on a port of this project's transport", () => {
  for (const [name, version, connect] of CLIENTS) {
    describe(`with ${name}`, () => {
      let live: McpServer;
      let handle: ReturnType<typeof serveStdio>;
      let client: Used;

      beforeEach(async () => {
        const { port1, port2 } = new MessageChannel();
        const factory = (): McpServer => (live = makeServer());
        handle = serveStdio(factory, { transport: new MessagePortTransport(port2) });
        client = await connect(port1);
      });

      afterEach(() => client.close());

      it('is known, lists, reads, calls, gets and completes', async () => {
        expect(client.serverName).to.equal('elsewhere');
        expect(client.protocolVersion).to.equal(version);
        expect((await client.listTools()).map((tool) => tool.name)).to.deep.equal(['greet', 'ask']);
        const { structuredContent } = await client.callTool('greet', { name: 'Ann' });
        expect(structuredContent).to.deep.equal({ greeting: 'Hello, Ann.' });
        expect(await client.callTool('greet', {})).to.include({ isError: true });
        expect(await client.read('a:text')).to.deep.equal([{ uri: 'a:text', text: 'Text.' }]);
        expect(await client.read('a:items/3')).to.deep.equal([{ uri: 'a:items/3', text: '3' }]);
        expect(await failureOf(client.read('a:missing'))).to.include({ code: -32602 });
        expect((await client.listPrompts())[0]?.name).to.equal('describe');
        const { messages } = await client.getPrompt('describe', { animal: 'cat' });
        expect(messages).to.have.deep.nested.property('[0].content.text', 'cat');
        const ref = { type: 'ref/resource', uri: 'a:items/{item}' };
        expect((await client.complete(ref, 'item', '4')).values).to.deep.equal(['41']);
      });

      it('asks the user', async () => {
        const { content } = await client.callTool('ask');
        expect(content).to.deep.equal([{ type: 'text', text: 'Ann' }]);
      });

      it('notifies of updates', async () => {
        const updated = new Promise<string>((resolve) => {
          const subscribed = client.subscribe('a:text', resolve);
          void subscribed.then(() => live.server.sendResourceUpdated({ uri: 'a:text' }));
        });
        expect(await soon('the update', updated)).to.equal('a:text');
      });

      it('ends for the client when it ends', async () => {
        await handle.close();
        await soon('the client is closed', client.closed);
      });

      it('ends when the client does', async () => {
        const ended = new Promise<void>((resolve) => {
          live.server.onclose = resolve;
        });
        await client.close();
        await soon('the server is closed', ended);
      });
    });
  }

  it('serves the legacy era alone where it is connected itself', async () => {
    const { port1, port2 } = new MessageChannel();
    await makeServer().connect(new MessagePortTransport(port2));
    expect(await failureOf(ownClient(port1))).to.include({ code: -32601 });
    const other = new MessageChannel();
    await makeServer().connect(new MessagePortTransport(other.port2));
    const client = await sdkV2(other.port1, 'auto');
    expect(client.protocolVersion).to.equal('2025-11-25');
    await client.close();
  });
});
