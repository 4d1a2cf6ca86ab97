import { expect } from '@esm-bundle/chai';
import { connectClient, type McpClient } from '@inpage-mcp/client';
import { fromSdkClient, type SdkClient } from '@inpage-mcp/client/sdk';
import { defineTool } from '@inpage-mcp/protocol';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { CountingListener, describeClientContract } from '../contracts/client-contract.js';
import { wholeServer } from '../protocol/whole-server.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { soon } from '../support/within.js';
import { DISCOVERED, scriptedPeer, type ScriptedPeer } from './scripted-peer.js';

const INFO = { name: 'official', version: '1' };

/** The client of version 2, in the modern era by default. */
async function sdkV2(
  transport: MessagePortTransport,
  options: ClientOptions = { versionNegotiation: { mode: 'auto' } },
): Promise<Client> {
  const sdk = new Client(INFO, options);
  await sdk.connect(transport);
  return sdk;
}

async function sdkV1(transport: MessagePortTransport): Promise<ClientV1> {
  const sdk = new ClientV1(INFO);
  // The types of version 1 do not allow `onclose: undefined`.
  await sdk.connect(transport as never);
  return sdk;
}

const LEGACY: ClientOptions = { versionNegotiation: { mode: 'legacy' } };

describeClientContract('the client of this package', 'modern', (transport) =>
  connectClient(transport),
);
describeClientContract('version 2 of the SDK, in the modern era,', 'modern', async (transport) =>
  fromSdkClient(await sdkV2(transport)),
);
describeClientContract('version 2 of the SDK, in the legacy era,', 'legacy', async (transport) =>
  fromSdkClient(await sdkV2(transport, LEGACY)),
);
describeClientContract('version 1 of the SDK', 'legacy', async (transport) =>
  fromSdkClient(await sdkV1(transport)),
);

/** A server that answers requests as a test says; `undefined` for no answer. */
function legacyPeer(answer: (method: string) => object | undefined): ScriptedPeer {
  return scriptedPeer((message, port) => {
    if (!('method' in message) || !('id' in message)) return;
    const { id, method } = message;
    const initialized = {
      protocolVersion: '2025-06-18',
      capabilities: { resources: { subscribe: true }, tools: {} },
      serverInfo: INFO,
    };
    const result = method === 'initialize' ? initialized : answer(method);
    if (result)
      port.postMessage({ jsonrpc: '2.0', id, ...('error' in result ? result : { result }) });
  });
}

describe('a client of the SDK', () => {
  let serving: ReturnType<typeof wholeServer>;

  beforeEach(() => {
    serving = wholeServer();
  });

  afterEach(() => serving.server.close());

  function openTransport(): MessagePortTransport {
    const { port1, port2 } = new MessageChannel();
    serving.server.serve(port2);
    return new MessagePortTransport(port1);
  }

  it('must be connected', async () => {
    expect(() => fromSdkClient(new Client(INFO))).to.throw(TypeError, 'not connected');
    const sdk = await sdkV2(openTransport());
    await sdk.close();
    expect(() => fromSdkClient(sdk)).to.throw(TypeError, 'not connected');
  });

  it('has one client of this package for each connection', async () => {
    const sdk = await sdkV2(openTransport());
    const client = fromSdkClient(sdk);
    expect(fromSdkClient(sdk)).to.equal(client);
    await client.close();
    await sdk.connect(openTransport());
    const next = fromSdkClient(sdk);
    expect(next).not.to.equal(client);
    expect([client.state, next.state]).to.deep.equal(['closed', 'open']);
    expect((await next.listTools()).tools).not.to.deep.equal([]);
    await sdk.close();
    await next.closed;
  });

  it('reports the protocol revision, unless it is version 1 of the SDK', async () => {
    const revisions = async (sdk: SdkClient): Promise<string> => {
      const { protocolVersion } = fromSdkClient(sdk);
      await sdk.close();
      return protocolVersion;
    };
    expect(await revisions(await sdkV2(openTransport()))).to.equal('2026-07-28');
    expect(await revisions(await sdkV2(openTransport(), LEGACY))).to.equal('2025-11-25');
    expect(await revisions(await sdkV1(openTransport()))).to.equal('unknown');
  });

  for (const [era, options] of [
    ['modern', { versionNegotiation: { mode: 'auto' } }],
    ['legacy', LEGACY],
  ] as const)
    it(`keeps the handlers of the app, from before and after, in the ${era} era`, async () => {
      const notifications: string[] = [];
      const sdk = new Client(INFO, options);
      sdk.setNotificationHandler('notifications/tools/list_changed', () => {
        notifications.push('tools');
      });
      const ended = new Promise<void>((resolve) => {
        sdk.onclose = resolve;
      });
      await sdk.connect(openTransport());
      const client = fromSdkClient(sdk);
      const [text, tools] = [new CountingListener(), new CountingListener()];
      const watches = [client.watch('a:text', text.call), client.watchTools(tools.call)];
      await Promise.all(watches.map(({ ready }) => ready));
      sdk.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        notifications.push(params.uri);
      });
      serving.change('a:text');
      await text.called(1);
      serving.server.addTool(defineTool({ name: 'added', run: () => 'Added.' }));
      await tools.called(1);
      expect(notifications.toSorted()).to.deep.equal(['a:text', 'tools']);
      await client.close();
      await soon('the app learns of the end', ended);
    });

  describe('with a question to the user', () => {
    const timers = useFakeTimers();

    it('limits it by the total time only, with a modern server', async () => {
      const sdk = new Client(INFO, {
        versionNegotiation: { mode: 'auto' },
        capabilities: { elicitation: { form: {} } },
      });
      const asked = new Promise<void>((resolve) => {
        sdk.setRequestHandler('elicitation/create', () => {
          resolve();
          return new Promise<never>(() => undefined);
        });
      });
      await sdk.connect(openTransport());
      const client = fromSdkClient(sdk);
      const limits = { timeoutMs: 100, totalTimeoutMs: 200 };
      const failure = failureOf(client.callTool('elicits', {}, limits));
      await asked;
      timers.pass(200);
      expect(await failure).to.include({ code: 'timeout' });
      expect(((await failure) as Error).message).to.contain('200 ms');
      await client.close();
    });
  });

  it('keeps the handlers of the app with version 1 of the SDK', async () => {
    const sdk = await sdkV1(openTransport());
    const client = fromSdkClient(sdk);
    const [own, watched] = [new CountingListener(), new CountingListener()];
    sdk.setNotificationHandler(ResourceUpdatedNotificationSchema, own.call);
    await client.watch('a:text', watched.call).ready;
    serving.change('a:text');
    await Promise.all([own.called(1), watched.called(1)]);
    await client.close();
  });
});

describe('a client of the SDK with a peer of bad manners', () => {
  let client: McpClient;

  afterEach(() => client.close());

  for (const [name, connect] of [
    ['version 1', sdkV1],
    ['version 2', (transport: MessagePortTransport) => sdkV2(transport, LEGACY)],
  ] as const) {
    it(`gives only valid entries, with ${name}`, async () => {
      const resources = [null, { uri: 'a:b' }, { uri: 'a:c', name: 'c', size: 'large' }];
      const { transport } = legacyPeer(() => ({ resources, nextCursor: 5 }));
      client = fromSdkClient(await connect(transport));
      const page = await client.listResources();
      expect(page).to.deep.equal({ resources: [{ uri: 'a:c', name: 'c' }], unusable: 3 });
    });

    it(`rejects what is no answer, with ${name}`, async () => {
      const { transport } = legacyPeer(() => ({}));
      client = fromSdkClient(await connect(transport));
      expect(await failureOf(client.listTools())).to.include({ code: 'invalid-result' });
    });

    it(`ends a watch that the server rejects, with ${name}`, async () => {
      const error = { code: -32602, message: 'No.', data: 5 };
      const { transport } = legacyPeer((method) =>
        method === 'tools/list' ? { tools: [] } : { error },
      );
      client = fromSdkClient(await connect(transport));
      const { ready } = client.watch('a:b', () => undefined);
      expect(await failureOf(ready)).to.include({ code: 'unsupported' });
      expect(await failureOf(client.readResource('a:b'))).to.include({
        name: 'McpError',
        ...error,
      });
      expect(await client.listTools()).to.deep.equal({ tools: [] });
    });

    it(`rejects a request that cannot be sent, with ${name}`, async () => {
      const { transport } = legacyPeer(() => undefined);
      client = fromSdkClient(await connect(transport));
      const cause = Object.assign(new Error('Not found'), { code: 404 });
      transport.send = () => Promise.reject(cause);
      const error = await failureOf(client.listTools());
      expect(error).to.include({ code: 'connection-lost', cause });
      expect((error as Error).message).to.equal('tools/list failed: Not found');
    });
  }

  it('rejects a whole list with an invalid entry in the modern era, where the SDK does', async () => {
    const { transport } = scriptedPeer((message, port) => {
      if (!('id' in message) || !('method' in message)) return;
      const list = {
        resultType: 'complete',
        resources: [{ uri: 5 }],
        ttlMs: 0,
        cacheScope: 'public',
      };
      const result = message.method === 'server/discover' ? DISCOVERED : list;
      port.postMessage({ jsonrpc: '2.0', id: message.id, result });
    });
    client = fromSdkClient(await sdkV2(transport));
    expect(await failureOf(client.listResources())).to.include({ code: 'invalid-result' });
  });

  it('watches again when the server has ended the stream, and reports a change', async () => {
    const listening: unknown[] = [];
    const { transport, port } = scriptedPeer((message, peer) => {
      if (!('id' in message) || !('method' in message)) return;
      const { id, method } = message;
      if (method === 'server/discover') {
        const capabilities = { resources: { subscribe: true }, tools: { listChanged: true } };
        const result = { ...DISCOVERED, capabilities };
        peer.postMessage({ jsonrpc: '2.0', id, result });
      } else {
        listening.push(id);
        const { notifications } = message.params as { notifications: object };
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        const acknowledged = 'notifications/subscriptions/acknowledged';
        const params = { notifications, _meta };
        peer.postMessage({ jsonrpc: '2.0', method: acknowledged, params });
      }
    });
    client = fromSdkClient(await sdkV2(transport));
    const [text, tools] = [new CountingListener(), new CountingListener()];
    const watches = [client.watch('a:b', text.call), client.watchTools(tools.call)];
    await Promise.all(watches.map(({ ready }) => ready));
    expect(listening).to.have.length(1);
    port.postMessage({ jsonrpc: '2.0', id: listening[0], result: { resultType: 'complete' } });
    await Promise.all([text.called(1), tools.called(1)]);
    expect(listening).to.have.length(2);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': listening[1] };
    const params = { uri: 'a:b', _meta };
    port.postMessage({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
    await text.called(2);
    expect(tools.calls).to.equal(1);
  });
});
