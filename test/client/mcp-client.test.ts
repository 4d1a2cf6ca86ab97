import { expect } from '@esm-bundle/chai';
import { bytesOf, connectClient, type ResourceContents } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { failureOf } from '../support/failure.js';
import { useLinkedClient } from '../support/linked-server.js';
import { connectScripted, DISCOVERED, discovering, scriptedPeer } from './scripted-peer.js';

describe('the client', () => {
  const setup = useLinkedClient();

  it('knows whom it talks to', () => {
    expect(setup.client.protocolVersion).to.equal('2026-07-28');
    expect(setup.client.serverInfo?.name).to.equal('inpage-mcp');
    expect(setup.client.serverCapabilities.resources).to.deep.equal({
      subscribe: true,
      listChanged: true,
    });
  });

  it('lists and reads text and bytes', async () => {
    const { notes, files } = setup.linked.server.store;
    const note = await notes.create({ title: 'Title', text: 'Text ☃' });
    await files.write('a.bin', new Blob([Uint8Array.from([0, 255, 128])]));
    const { resources } = await setup.client.listResources();
    expect(resources.map(({ title }) => title)).to.deep.equal(['Title', 'a.bin']);
    expect(resources[0]).to.include({ description: 'Text ☃', mimeType: 'text/markdown' });
    const text = await setup.client.readResource(`note:///${note.id}`);
    expect(text.contents).to.have.length(1);
    const [{ _meta, ...contents }] = text.contents as [ResourceContents];
    expect(contents).to.deep.equal({
      uri: `note:///${note.id}`,
      mimeType: 'text/markdown',
      text: 'Text ☃',
    });
    expect(_meta?.['io.github.inpage-mcp/resource']).to.include({ title: 'Title', size: 8 });
    expect([...bytesOf(text.contents[0]!)]).to.deep.equal([...new TextEncoder().encode('Text ☃')]);
    const binary = await setup.client.readResource('file:///a.bin');
    expect([...bytesOf(binary.contents[0]!)]).to.deep.equal([0, 255, 128]);
  });
});

describe('the client with a peer of bad manners', () => {
  it('times out when nobody is there', async () => {
    const { port2 } = new MessageChannel();
    const connecting = connectClient(new MessagePortTransport(port2), { timeoutMs: 20 });
    expect(await failureOf(connecting)).to.include({ code: 'timeout' });
  });

  it('rejects a server of other revisions', async () => {
    const { transport } = scriptedPeer((message, port) => {
      if (!('id' in message)) return;
      const result = { ...DISCOVERED, supportedVersions: ['2027-01-01'] };
      port.postMessage({ jsonrpc: '2.0', id: message.id, result });
    });
    expect(await failureOf(connectClient(transport))).to.include({ code: 'unsupported' });
  });

  it('rejects answers of a type that it does not expect', async () => {
    for (const resultType of ['input_required', 'task', 7]) {
      const { client } = await connectScripted({}, [{ resultType, tools: [] }]);
      expect(await failureOf(client.listTools())).to.include({ code: 'unsupported' });
      await client.close();
    }
  });

  it('ignores answers to questions it did not ask, and second answers', async () => {
    const { transport, port } = discovering((message, port) => {
      if (!('id' in message)) return;
      port.postMessage({ jsonrpc: '2.0', id: 'stranger', result: {} });
      port.postMessage({ jsonrpc: '2.0', id: message.id, result: { resources: [] } });
      port.postMessage({ jsonrpc: '2.0', id: message.id, error: { code: 1, message: 'late' } });
    });
    const client = await connectClient(transport);
    expect((await client.listResources()).resources).to.deep.equal([]);
    port.postMessage({ jsonrpc: '2.0', error: { code: -32700, message: 'no id' } });
    expect((await client.listResources()).resources).to.deep.equal([]);
    await client.close();
  });

  it('answers a request of the server with method not found', async () => {
    const { transport, port, received } = discovering();
    const client = await connectClient(transport);
    const answered = new Promise<void>((resolve) => {
      port.addEventListener('message', ({ data }) => data?.id === 'q' && resolve());
    });
    port.postMessage({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    await answered;
    expect(received.at(-1)).to.have.nested.property('error.code', -32601);
    await client.close();
  });

  it('ends a watch that the server does not honour', async () => {
    const { transport } = discovering((message, port) => {
      if (!('method' in message) || message.method !== 'subscriptions/listen' || !('id' in message))
        return;
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id };
      const method = 'notifications/subscriptions/acknowledged';
      const notifications = { resourcesListChanged: true };
      port.postMessage({ jsonrpc: '2.0', method, params: { notifications, _meta } });
    });
    const client = await connectClient(transport);
    const refused = client.watch('a:b', () => undefined);
    const honoured = client.watchList(() => undefined);
    expect(await failureOf(refused.ready)).to.include({ code: 'unsupported' });
    await honoured.ready;
    await client.close();
  });

  it('ends watches with the error of a server that refuses to listen', async () => {
    const { transport } = discovering((message, port) => {
      if (!('id' in message)) return;
      port.postMessage({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32603, message: 'full' },
      });
    });
    const client = await connectClient(transport);
    expect(await failureOf(client.watchList(() => undefined).ready)).to.include({ code: -32603 });
    await client.close();
  });
});
