import { expect } from '@open-wc/testing';
import { connectClient } from '@inpage-mcp/client';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { Client } from '@modelcontextprotocol/client';
import { scriptedPeer } from '../client/scripted-peer.js';
import { failureOf } from '../support/failure.js';
import { manyHoles } from '../support/holes.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';
import { changeOf, recordedPeer } from './recorded-peer.js';

const result = (id: unknown, value: object = {}): object => ({ jsonrpc: '2.0', id, result: value });

describe('WireRecorder, between a client and the real server,', () => {
  const test = useLinkedClient();

  it('brings each request and its answer together on one line', async () => {
    const recorder = new WireRecorder();
    const transport = recorder.wrap(new MessagePortTransport(test.linked.openPort()));
    const client = await connectClient(transport);
    await client.listResources();
    expect(recorder.entries.map(({ kind, method }) => method || kind)).to.deep.equal([
      'opened',
      'server/discover',
      'resources/list',
    ]);
    const line = recorder.entries.at(-1)!;
    expect(line).to.include({ kind: 'request', direction: 'sent', state: 'answered' });
    expect(line.durationMs).to.be.above(0);
    expect(line.answer).to.have.nested.property('result.resources');
    await client.close();
    expect(recorder.entries.at(-1)).to.include({ kind: 'closed' });
  });

  it('records the client of the official SDK, too', async () => {
    const recorder = new WireRecorder();
    const options = { versionNegotiation: { mode: 'auto' } } as const;
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(recorder.wrap(new MessagePortTransport(test.linked.openPort())));
    await client.listTools();
    expect(recorder.entries.at(-1)).to.include({ method: 'tools/list', state: 'answered' });
    await client.close();
    expect(recorder.entries.at(-1)).to.include({ kind: 'closed' });
  });

  it('keeps the message of a request itself, not a copy', async () => {
    const recorder = new WireRecorder();
    const transport = recorder.wrap(new MessagePortTransport(test.linked.openPort()));
    await transport.start();
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
    await transport.send(message);
    expect(recorder.entries.at(-1)?.message).to.equal(message);
    await transport.close();
  });

  it('gives each connection a number, and ids that both of them use to the right one', async () => {
    const recorder = new WireRecorder();
    const peer = recordedPeer({}, recorder);
    peer.request(1, 'resources/read');
    peer.end();
    const next = recordedPeer({}, recorder);
    next.request(1, 'tools/list');
    next.deliver(result(1));
    const lines = recorder.entries.filter(({ kind }) => kind === 'request');
    expect(lines.map(({ connection, state }) => [connection, state])).to.deep.equal([
      [1, 'lost'],
      [2, 'answered'],
    ]);
  });

  it('marks a request that is cancelled, and one that the transport does not send', async () => {
    const recorder = new WireRecorder();
    const peer = scriptedPeer(() => undefined);
    const transport = recorder.wrap(peer.transport);
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'a' });
    const params = { requestId: 1 };
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    const uncloneable = { jsonrpc: '2.0', id: 2, method: 'b', params: { run: () => 1 } } as const;
    await failureOf(transport.send(uncloneable));
    const states = recorder.entries.map(({ state }) => state);
    expect(states).to.deep.equal(['none', 'cancelled', 'none', 'unsent']);
    await transport.close();
  });
});

describe('WireRecorder, with a server that gets everything wrong,', () => {
  it('writes down every value as a line, and throws at none', () => {
    const peer = recordedPeer();
    const cycle: { self?: unknown; jsonrpc: string } = { jsonrpc: '2.0' };
    cycle.self = cycle;
    const values = [null, 1, 'text', [], {}, manyHoles(), 2n ** 70n, cycle, new Map(), undefined];
    for (const value of values) peer.deliver(value);
    const ids = [null, {}, [1], Number.NaN, '', 'x'.repeat(1_000_000)];
    for (const id of ids) {
      peer.deliver({ id, method: 'm', params: 7 });
      peer.deliver({ id, result: 3, error: 'both' });
    }
    const kinds = peer.recorder.entries.map(({ kind }) => kind);
    expect(kinds.slice(0, values.length)).to.deep.equal(values.map(() => 'invalid'));
    expect(kinds.slice(values.length)).to.have.length(2 * ids.length);
    for (const entry of peer.recorder.entries) peer.recorder.sizeOf(entry);
  });

  it('counts an object once that contains itself, or occurs often', () => {
    const peer = recordedPeer();
    const cycle: { self?: unknown; map?: unknown } = {};
    Object.assign(cycle, { self: cycle, all: [cycle, cycle], map: new Map([[cycle, cycle]]) });
    const part = { text: 'x'.repeat(100) };
    const often = Array.from({ length: 100 }, () => part);
    for (const value of [cycle, often]) {
      peer.deliver(value);
      expect(peer.recorder.sizeOf(peer.recorder.entries.at(-1)!)).to.be.below(1_000);
    }
  });

  it('gives an answer to no open request a line of its own, and a second answer, too', () => {
    const peer = recordedPeer();
    peer.deliver(result(7));
    peer.request(1, 'tools/list');
    peer.deliver(result(1));
    peer.deliver(result(1));
    expect(peer.recorder.entries.map(({ kind }) => kind)).to.deep.equal([
      'answer',
      'request',
      'answer',
    ]);
  });

  it('drops the oldest lines when there are too many, and counts them', () => {
    const { recorder, deliver } = recordedPeer({ maxEntries: 100 });
    for (let id = 0; id < 5_000; id += 1) deliver({ jsonrpc: '2.0', method: `m${id}` });
    expect(recorder.entries).to.have.length(100);
    expect(recorder.entries[0]!.method).to.equal('m4900');
    expect(recorder.dropped).to.equal(4_900);
    expect(recorder.total).to.equal(5_000);
  });

  it('drops the oldest lines when their messages are too large together', async () => {
    const { recorder, deliver } = recordedPeer({ maxBytes: 25_000_000 });
    for (let id = 0; id < 4; id += 1)
      deliver({ jsonrpc: '2.0', method: `m${id}`, params: { text: 'x'.repeat(10_000_000) } });
    await changeOf(recorder);
    expect(recorder.entries.map(({ method }) => method)).to.deep.equal(['m2', 'm3']);
    expect(recorder.approximateBytes).to.be.within(20_000_000, 20_000_500);
    recorder.clear();
    expect(recorder.approximateBytes).to.equal(0);
  });

  it('takes in 100,000 requests with their answers in a moment, and fires one event', async () => {
    const least = await leastTime(1_000, async () => {
      const { recorder, request, deliver } = recordedPeer();
      let changes = 0;
      recorder.addEventListener('change', () => (changes += 1));
      for (let id = 0; id < 100_000; id += 1) {
        request(id, 'resources/read', { uri: 'note:///1' });
        deliver(result(id));
      }
      await changeOf(recorder);
      expect(changes).to.equal(1);
      expect(recorder.entries).to.have.length(10_000);
    });
    // 10 µs for each request with its answer, and with making the messages.
    expect(least).to.be.below(1_000);
  });

  it('counts the size of a message with a million values in a few milliseconds', async () => {
    const values = Array(1_000_000).fill('value');
    let size = 0;
    const least = await leastTime(100, () => {
      // The size is counted once for each message.
      const { recorder, deliver } = recordedPeer();
      deliver({ jsonrpc: '2.0', method: 'm', params: { values } });
      size = recorder.sizeOf(recorder.entries[0]!);
    });
    expect(least).to.be.below(100);
    expect(size).to.be.at.least(16 * 1024 * 1024);
  });
});

describe('The JSON Lines of a WireRecorder', () => {
  it('have one line for each message, in JSON', async () => {
    const { recorder, transport, request, deliver, end } = recordedPeer();
    await transport.start();
    request(1, 'resources/read', { uri: 'note:///1' });
    deliver(result(1, { contents: [] }));
    deliver({ jsonrpc: '2.0', method: 'notifications/message', params: { big: 2n ** 65n } });
    end();
    const blob = await recorder.toJsonLines();
    expect(blob.type).to.equal('application/jsonl');
    const lines = (await blob.text()).trimEnd().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as { [name: string]: unknown });
    const directions = parsed.map(({ direction }) => direction);
    expect(directions).to.deep.equal([undefined, 'sent', 'received', 'received', undefined]);
    expect(parsed[2]!['message']).to.deep.equal(result(1, { contents: [] }));
    expect(lines[3]).to.contain('36893488147419103232n');
    expect(parsed[4]).to.include({ closed: true, connection: 1 });
  });

  it('have a line for a message that has no JSON', async () => {
    const { recorder, deliver } = recordedPeer();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    deliver({ method: 'm', params: cycle });
    const text = await (await recorder.toJsonLines()).text();
    expect(JSON.parse(text)).to.be.a('string').that.contains('"self"');
  });
});
