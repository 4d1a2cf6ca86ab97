import { defineTool } from '@inpage-mcp/server';
import { isJsonRpcMessage, type JsonRpcMessage } from '@inpage-mcp/transport';
import { expect } from '@esm-bundle/chai';
import { useLinkedServer } from '../support/linked-server.js';
import type { RawClient } from '../support/raw-client.js';
// Internal to the package, and tested where the quota can be read.
import { Batch, splitBatch } from '../../packages/protocol/src/inbound/batch.js';
import { Quota } from '../../packages/protocol/src/fairness/quota.js';

const MAX_BATCH = 1_000;

describe('a batch of messages', () => {
  let client: RawClient;

  const linked = useLinkedServer({
    configure: (server) => {
      const bad = () => ({ content: [], _meta: { bad: () => 1 } });
      server.addTool(defineTool({ name: 'bad', run: bad }));
      server.addMethod('own/function', { params: () => undefined, run: () => ({ value: bad }) });
      server.addTool(defineTool({ name: 'never', run: () => new Promise<never>(() => {}) }));
    },
  });
  beforeEach(() => {
    client = linked.connectRaw();
  });

  const request = (id: number | string, method: string, params = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const post = (value: unknown): void => client.port.postMessage(value);
  /** What came in after the handshake. */
  const received = (): unknown[] => client.received.slice(1);
  const next = (count = 1) => client.when(() => received().length >= count);

  describe('of revision 2025-03-26', () => {
    beforeEach(() => client.initialize('2025-03-26'));

    it('is answered by one array of all answers', async () => {
      post([
        request(1, 'ping'),
        request('two', 'tools/call', { name: 'create_note', arguments: { title: 'a', text: '' } }),
        { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
        request(3, 'no/such/method'),
      ]);
      // The note that is created is reported in between, apart from the batch.
      const answers = await client.when(
        () => received().find((one) => Array.isArray(one)) as JsonRpcMessage[] | undefined,
      );
      expect(answers.every(isJsonRpcMessage)).to.equal(true);
      const byId = new Map(answers.map((answer) => ['id' in answer && answer.id, answer]));
      expect([...byId.keys()]).to.have.members([1, 'two', 3]);
      expect(byId.get(1)).to.have.property('result');
      expect(byId.get('two')).to.have.nested.property('result.structuredContent.title', 'a');
      expect(byId.get(3)).to.have.nested.property('error.code', -32601);
    });

    it('is not answered when it holds notifications only', async () => {
      post([{ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }]);
      post(request(1, 'ping'));
      await next();
      expect(received()).to.deep.equal([{ jsonrpc: '2.0', id: 1, result: {} }]);
    });

    it('answers what is no message in it as an invalid request', async () => {
      post([5, null, [], { jsonrpc: '2.0' }, request(1, 'initialize'), request(2, 'ping')]);
      await next();
      const answers = received()[0] as { error?: { code: number }; id?: number }[];
      expect(answers).to.have.length(6);
      expect(answers.filter(({ error }) => error?.code === -32600)).to.have.length(5);
      expect(answers.map(({ id }) => id).filter((id) => id !== undefined)).to.deep.equal([1, 2]);
      expect(answers.at(-1)).to.deep.equal({ jsonrpc: '2.0', id: 2, result: {} });
    });

    it('rejects an initialize without an id where that is the id of something else', async () => {
      post(request('open', 'tools/call', { name: 'never' }));
      post([
        ...['open', 'ping', 'new', 'new'].map((id) => request(id, 'initialize')),
        request('ping', 'ping'),
        { id: 'ping', method: 'no message' },
      ]);
      await next();
      const answers = received()[0] as { error?: { code: number }; id?: string }[];
      expect(answers.filter(({ error }) => error?.code === -32600)).to.have.length(5);
      expect(answers.map(({ id }) => id).filter((id) => id !== undefined)).to.deep.equal([
        'new',
        'ping',
      ]);
      expect(answers.at(-1)).to.have.property('result');
    });

    it('rejects an id that is too long without it, and waits for no answer to it', async () => {
      post([request('x'.repeat(1_024), 'ping'), request('x'.repeat(1_025), 'ping')]);
      await next();
      const answers = received()[0] as { error?: object; id?: string }[];
      expect(answers.map(({ id }) => id?.length)).to.deep.equal([undefined, 1_024]);
      expect(answers[0]).to.have.nested.property('error.code', -32600);
    });

    it('holds rejections while its quota allows, and then has one error for all of them', () => {
      for (const room of [MAX_BATCH * 200, 1_000]) {
        const sent: unknown[][] = [];
        const kept = new Quota(room);
        const batch = new Batch((answers) => sent.push(answers), kept);
        const broken = Array.from({ length: MAX_BATCH - 1 }, () => ({ method: 1 }));
        const values = [request(1, 'ping'), ...broken];
        const { messages, rejections } = splitBatch(values, () => false);
        expect(messages).to.deep.equal([request(1, 'ping')]);
        batch.add(rejections);
        batch.expect();
        batch.settle(undefined);
        expect(sent).to.have.length(0);
        expect(room - kept.left).to.be.below(room + 1);
        batch.settle({ jsonrpc: '2.0', id: 1, result: {} });
        const isRoomy = room > 1_000;
        expect(sent[0]).to.have.length(isRoomy ? MAX_BATCH : 2);
        if (!isRoomy) expect(sent[0]![0]).to.have.nested.property('error.data.limit', 'keptBytes');
        expect(kept.left).to.equal(room);
      }
    });

    it('is rejected when it is empty or too long', async () => {
      const pings = (count: number) =>
        Array.from({ length: count }, (_, index) => request(index, 'ping'));
      post([]);
      await next();
      post(pings(MAX_BATCH + 1));
      await next(2);
      for (const answer of received()) expect(answer).to.have.nested.property('error.code', -32600);
      post(pings(MAX_BATCH));
      await next(3);
      expect(received()[2]).to.have.length(MAX_BATCH);
    });

    it('does not wait for a request that is cancelled', async () => {
      post([request(1, 'ping'), request(2, 'tools/call', { name: 'never' })]);
      client.notify('notifications/cancelled', { requestId: 2 });
      await next();
      expect(received()).to.deep.equal([[{ jsonrpc: '2.0', id: 1, result: {} }]]);
    });

    it('loses no answer by one that no port can carry, and of that one only what cannot be sent', async () => {
      post([
        request(1, 'tools/call', { name: 'bad' }),
        request(2, 'ping'),
        request(3, 'own/function'),
      ]);
      await next();
      expect(received()[0]).to.have.deep.members([
        { jsonrpc: '2.0', id: 1, result: { content: [], _meta: {} } },
        { jsonrpc: '2.0', id: 2, result: {} },
        { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'Internal error' } },
      ]);
    });
  });

  for (const revision of ['2024-11-05', '2025-06-18', '2025-11-25']) {
    it(`is rejected as a whole by ${revision}, which has none`, async () => {
      await client.initialize(revision);
      post([request(1, 'ping')]);
      post(request(2, 'ping'));
      await next(2);
      // JSON-RPC 2.0 section 5: without an id, where none can be determined.
      const error = { code: -32600, message: 'This is no message of JSON-RPC.' };
      expect(received()).to.deep.equal([
        { jsonrpc: '2.0', error },
        { jsonrpc: '2.0', id: 2, result: {} },
      ]);
    });
  }
});
