import { expect } from '@esm-bundle/chai';
import { MessagePortTransport, TransportError } from '@inpage-mcp/transport';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server';
import type { Transport as LegacyTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describeTransportContract } from '../contracts/transport-contract.js';

// Compile-time tests: the class is a Transport of the official SDK, in both of its majors.
const asTransport: (transport: MessagePortTransport) => Transport = (transport) => transport;
const asLegacyTransport: (transport: MessagePortTransport) => LegacyTransport = (transport) =>
  transport as Transport as LegacyTransport;
void [asTransport, asLegacyTransport];

/**
 * Resolves after everything that is queued on ports of this thread: their order is first come. In
 * Firefox each port has a turn after the other, with one message.
 */
async function portsSettled(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => {
        port1.close();
        resolve();
      };
      port1.postMessage(0);
    });
  }
}

describeTransportContract('MessagePortTransport', () => {
  const { port1, port2 } = new MessageChannel();
  return {
    near: new MessagePortTransport(port1),
    far: new MessagePortTransport(port2),
    settled: portsSettled,
  };
});

describeTransportContract("the SDK's InMemoryTransport", () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  // The SDK's callback properties are generic where ours are not; the behaviour is what is tested.
  return { near: near as never, far: far as never, settled: portsSettled };
});

describe('MessagePortTransport', () => {
  let peer: MessagePort;
  let own: MessagePort;
  let transport: MessagePortTransport;
  let messages: unknown[];
  let errors: Error[];

  beforeEach(() => {
    const { port1, port2 } = new MessageChannel();
    peer = port1;
    own = port2;
    transport = new MessagePortTransport(port2);
    messages = [];
    errors = [];
    transport.onmessage = (message) => messages.push(message);
    transport.onerror = (error) => errors.push(error);
  });

  afterEach(async () => {
    await transport.close();
    peer.close();
  });

  const codes = (): unknown[] => errors.map((error) => (error as TransportError).code);
  const failureOf = (promise: Promise<unknown>): Promise<TransportError> =>
    promise.then(
      () => {
        throw new Error('It should have failed.');
      },
      (error: TransportError) => error,
    );

  it('reports what is not a JSON-RPC message and lives on', async () => {
    await transport.start();
    const strangers: unknown[] = [
      undefined,
      0,
      'text',
      [],
      [{ jsonrpc: '2.0', method: 'a' }],
      {},
      { jsonrpc: '1.0', id: 1, method: 'a' },
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: null, method: 'a' },
      { jsonrpc: '2.0', id: 1.5, method: 'a' },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
      { jsonrpc: '2.0', id: 1, result: 5 },
      { jsonrpc: '2.0', result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: '1', message: 'a' } },
      { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'a' } },
      { jsonrpc: '2.0', id: 1, method: 'a', result: {} },
    ];
    for (const stranger of strangers) peer.postMessage(stranger);
    const proper = { jsonrpc: '2.0', id: 'x', method: 'a', params: {} };
    peer.postMessage(proper);
    await portsSettled();
    expect(codes()).to.deep.equal(strangers.map(() => 'not-a-message'));
    expect(messages).to.deep.equal([proper]);
  });

  it('accepts requests, notifications, results and errors', async () => {
    await transport.start();
    const proper = [
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', method: 'a', params: { b: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'a', data: [1] } },
      { jsonrpc: '2.0', error: { code: -32700, message: 'a' } },
    ];
    for (const message of proper) peer.postMessage(message);
    await portsSettled();
    expect(errors).to.deep.equal([]);
    expect(messages).to.deep.equal(proper);
  });

  it('reports a messageerror and lives on', async () => {
    await transport.start();
    // A module of a worker's heap is a real message that this window cannot deserialise, but it
    // needs cross-origin isolation; the event itself is all that the transport sees of it.
    own.dispatchEvent(new MessageEvent('messageerror'));
    peer.postMessage({ jsonrpc: '2.0', method: 'a' });
    await portsSettled();
    expect(codes()).to.deep.equal(['undecodable']);
    expect(messages).to.have.length(1);
  });

  it('attaches nothing before start', async () => {
    peer.postMessage({ jsonrpc: '2.0', method: 'a' });
    await portsSettled();
    expect(messages).to.have.length(0);
    expect((await failureOf(transport.send({ jsonrpc: '2.0', method: 'a' }))).code).to.equal(
      'not-started',
    );
  });

  it('starts once', async () => {
    await transport.start();
    expect((await failureOf(transport.start())).code).to.equal('already-started');
    await transport.close();
    expect((await failureOf(transport.start())).code).to.equal('closed');
  });

  it('posts plain copies in the place of proxies, and everything else as it is', async () => {
    await transport.start();
    const arrived = new Promise<{ params: { [name: string]: unknown } }>((resolve) => {
      peer.onmessage = ({ data }) => resolve(data);
    });
    const own: { [name: string]: unknown } = {
      list: new Proxy([new Proxy({ a: 1 }, {})], {}),
      blob: new Blob(['a']),
      day: new Date(0),
      none: undefined,
      bare: Object.assign(Object.create(null), { a: 1 }),
    };
    own['self'] = own;
    Object.defineProperty(own, '__proto__', { value: { evil: 1 }, enumerable: true });
    await transport.send({ jsonrpc: '2.0', method: 'a', params: new Proxy(own, {}) });
    const { params } = await arrived;
    expect(params['list']).to.deep.equal([{ a: 1 }]);
    expect(params['blob']).to.be.instanceOf(Blob);
    expect(params['day']).to.deep.equal(new Date(0));
    expect(params).to.have.property('none', undefined);
    expect(params['bare']).to.deep.equal({ a: 1 });
    expect((params['self'] as typeof params)['list']).to.deep.equal([{ a: 1 }]);
    expect(Object.getPrototypeOf(params)).to.equal(Object.prototype);
    expect(params).not.to.have.property('evil');
  });

  it('rejects a message that cannot be cloned and lives on', async () => {
    await transport.start();
    const message = { jsonrpc: '2.0' as const, method: 'a', params: { call: () => 0 } };
    const failure = await failureOf(transport.send(message));
    expect(failure).to.be.instanceOf(TransportError);
    expect(failure.code).to.equal('not-cloneable');
    const arrived = new Promise((resolve) => {
      peer.onmessage = ({ data }) => resolve(data);
    });
    await transport.send({ jsonrpc: '2.0', method: 'b' });
    expect(await arrived).to.deep.equal({ jsonrpc: '2.0', method: 'b' });
  });

  it('rejects a send after the close with a typed error', async () => {
    await transport.start();
    await transport.close();
    const failure = await failureOf(transport.send({ jsonrpc: '2.0', method: 'a' }));
    expect(failure).to.be.instanceOf(TransportError);
    expect(failure.code).to.equal('closed');
  });

  it('notifies the peer of the end by null, and takes null for the end', async () => {
    await transport.start();
    const arrived = new Promise((resolve) => {
      peer.onmessage = ({ data }) => resolve(data);
    });
    await transport.close();
    expect(await arrived).to.equal(null);
  });

  it('reports a listener that throws and lives on', async () => {
    await transport.start();
    transport.onmessage = () => {
      transport.onmessage = (message) => messages.push(message);
      throw new Error('broken');
    };
    peer.postMessage({ jsonrpc: '2.0', method: 'a' });
    peer.postMessage({ jsonrpc: '2.0', method: 'b' });
    await portsSettled();
    expect(codes()).to.deep.equal(['listener-failed']);
    expect(messages).to.deep.equal([{ jsonrpc: '2.0', method: 'b' }]);
  });

  it('ends once, although the end comes from both sides at the same time', async () => {
    let closes = 0;
    transport.onclose = () => {
      closes += 1;
    };
    await transport.start();
    peer.postMessage(null);
    peer.postMessage(null);
    await portsSettled();
    await transport.close();
    expect(closes).to.equal(1);
  });
});
