import {
  definePrompt,
  defineTool,
  GUEST_LIMITS,
  PAGE_LIMITS,
  type ConnectionLimits,
} from '@inpage-mcp/server';
import type { JsonRpcError } from '@inpage-mcp/transport';
import { expect } from '@esm-bundle/chai';
import { deleteDatabase } from '../support/database.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { errorOf, resultOf, speaking } from '../support/revisions.js';
import { eventually } from '../support/within.js';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

let linked: LinkedServer;
/** Ends the calls of `hold`, by what they were called with. */
let held: Map<string, () => void>;
let begun: string[];
let reported: unknown[];

/** A tool that runs until it is let go. */
const holding = defineTool({
  name: 'hold',
  async run(_input, { id }) {
    const key = String(id);
    begun.push(key);
    await new Promise<void>((resolve) => held.set(key, resolve));
    return { content: [] };
  },
});

/** A tool that asks the user of the client something. */
const asking = defineTool({
  name: 'ask',
  async run(_input, call) {
    const requestedSchema = { type: 'object' as const, properties: {} };
    const { action } = await call.elicit('well', { message: 'Well?', requestedSchema });
    return action;
  },
});

beforeEach(async () => {
  held = new Map();
  begun = [];
  reported = [];
  linked = await openLinkedServer(undefined, {
    configure: (server) => [holding, asking].forEach((tool) => server.addTool(tool)),
    onerror: (error) => reported.push(error),
  });
});

afterEach(async () => {
  await linked.server.close();
  await deleteDatabase(linked.databaseName);
});

const guest = (limits: Partial<ConnectionLimits> = {}): RawClient => {
  linked.server.setLimits({ guest: limits });
  return linked.connectRaw({}, 'guest');
};

const page = (limits: Partial<ConnectionLimits> = {}): RawClient => {
  linked.server.setLimits({ page: limits });
  return linked.connectRaw();
};

const hold = (client: RawClient): number =>
  client.post('tools/call', { name: 'hold', _meta: MODERN_META });

const ping = (client: RawClient): Promise<unknown> => client.modern('resources/templates/list');

/** What came in that names no request. */
const unattributed = (client: RawClient) =>
  client.received.filter(
    (message) => message !== null && !('method' in message) && !('id' in message),
  );

const answersTo = (client: RawClient, id: unknown) =>
  client.received.filter(
    (message) => message !== null && !('method' in message) && message.id === id,
  );

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 1);

describe('a message past its budget', () => {
  it('is refused with its id and the limit, and answered where it is just within that', async () => {
    const client = page();
    const maximum = PAGE_LIMITS.messageDepth;
    // The message and its params are above.
    const ask = (depth: number) => client.modern('tools/list', { deep: nested(depth - 2) });
    resultOf(await ask(maximum));
    const data = { limit: 'messageDepth', maximum };
    expect(errorOf(await ask(maximum + 1))).to.deep.include({ code: -32600, data });
  });

  it('is answered without an id where it has none that could be answered', async () => {
    const client = page();
    const deep = nested(65);
    const strangers = [
      { jsonrpc: '2.0', method: 'notifications/initialized', params: { deep } },
      { jsonrpc: '2.0', id: 1, result: { deep } },
      { jsonrpc: '2.0', id: null, method: 'ping', params: { deep } },
      { id: {}, method: 'ping', deep },
      'x'.repeat(PAGE_LIMITS.messageBytes),
      [deep],
    ];
    for (const [index, stranger] of strangers.entries()) {
      client.port.postMessage(stranger);
      await client.when(() => client.received.length === index + 1);
    }
    expect(unattributed(client)).to.have.length(strangers.length);
    for (const answer of unattributed(client)) {
      expect(answer).to.have.nested.property('error.code', -32600);
    }
  });

  it('changes no prototype by a key that is called so', async () => {
    const client = page();
    const params = JSON.parse('{"name":"x","__proto__":{"polluted":1}}') as object;
    const inputResponses = JSON.parse('{"__proto__":{"polluted":1}}') as object;
    expect(errorOf(await client.modern('tools/call', params as never)).code).to.equal(-32602);
    const call = { name: 'hold', inputResponses };
    expect(errorOf(await client.modern('tools/call', call)).code).to.equal(-32602);
    expect(begun).to.deep.equal([]);
    expect({}).not.to.have.property('polluted');
  });

  it('is refused as a batch too, in which each message may be as deep as any', async () => {
    const client = page();
    await client.initialize('2025-03-26');
    const request = (id: number, depth: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'ping',
      params: { deep: nested(depth - 2) },
    });
    client.port.postMessage([request(10, 64), request(11, 64)]);
    client.port.postMessage([request(12, 64), request(13, 65)]);
    await client.when(() => client.received.length === 3);
    expect(client.received[1]).to.have.length(2);
    expect(client.received[2]).to.have.nested.property('error.data.limit', 'messageDepth');
    expect(client.received[2]).not.to.have.property('id');
  });
});

describe('what is no message', () => {
  it('is answered with the id that it has, where it has one and a method', async () => {
    const client = page();
    const strangers: [id: unknown, stranger: object][] = [
      ['a', { id: 'a', method: 'ping' }],
      [-7, { jsonrpc: '1.0', id: -7, method: 'ping' }],
      ['b', { jsonrpc: '2.0', id: 'b', method: 5 }],
      ['', { jsonrpc: '2.0', id: '', method: 'ping', params: [] }],
      [0, { jsonrpc: '2.0', id: 0, method: 'ping', result: {} }],
    ];
    for (const [id, stranger] of strangers) {
      client.port.postMessage(stranger);
      expect(errorOf(await client.answerTo(id as string)).code).to.equal(-32600);
    }
  });

  it('is answered without an id where it has none', async () => {
    const client = page();
    const strangers = [
      undefined,
      'text',
      5,
      true,
      [],
      {},
      new Map(),
      { jsonrpc: '2.0', id: 1 },
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
    ];
    for (const stranger of strangers) client.port.postMessage(stranger);
    await client.when(() => client.received.length === strangers.length);
    expect(unattributed(client)).to.have.length(strangers.length);
  });

  it('is dropped where it may be an answer, so that two servers do not go on for ever', async () => {
    const client = page();
    for (const stranger of [
      { jsonrpc: '2.0', id: 1, result: 5 },
      { jsonrpc: '2.0', id: 1, result: {}, error: {} },
      { error: 'no' },
    ]) {
      client.port.postMessage(stranger);
    }
    await ping(client);
    expect(client.received).to.have.length(1);
  });

  it('does not start two servers that are connected with each other', async () => {
    const otherReports: unknown[] = [];
    const other = await openLinkedServer(undefined, {
      onerror: (error) => otherReports.push(error),
    });
    const { port1, port2 } = new MessageChannel();
    port1.postMessage('garbage');
    port1.postMessage({ jsonrpc: '2.0', method: 'a', params: { deep: nested(65) } });
    linked.server.servePort(port1);
    other.server.servePort(port2);
    // Long enough for any number of rounds.
    for (let round = 0; round < 50; round += 1) await ping(page());
    await other.server.close();
    await linked.server.close();
    // One reports at once, and the rest as a count when it ends.
    expect(otherReports.map(String)).to.have.length(2);
    expect(String(otherReports[1])).to.contain('1 more');
    expect(reported.map(String)).to.have.length(2);
    expect(String(reported[1])).to.contain('1 more');
    await deleteDatabase(other.databaseName);
  });
});

describe('an id that is too long', () => {
  const LONGEST = 1_024;

  it('is none, whatever else is wrong with the request', async () => {
    const client = page();
    await client.initialize();
    const past = { params: { deep: nested(65) } };
    for (const rest of [{ jsonrpc: '2.0' }, { jsonrpc: '2.0', ...past }, {}]) {
      const count = unattributed(client).length;
      client.port.postMessage({ ...rest, id: 'x'.repeat(LONGEST + 1), method: 'ping' });
      await client.when(() => unattributed(client).length === count + 1);
      expect(unattributed(client).at(-1)).to.have.nested.property('error.code', -32600);
      const id = `${count}`.padEnd(LONGEST, 'x');
      client.port.postMessage({ ...rest, id, method: 'ping' });
      await client.answerTo(id);
    }
    // An answer far smaller than what it answers, however much that is past its budget.
    client.port.postMessage({ jsonrpc: '2.0', id: 'x'.repeat(4 * 1024 * 1024), method: 'ping' });
    await client.when(() => unattributed(client).length === 4);
    expect(JSON.stringify(unattributed(client)).length).to.be.below(2_000);
  });
});

describe('an id that is in use', () => {
  it('is not answered twice', async () => {
    const client = page();
    const id = hold(client);
    await eventually(() => begun.length === 1);
    client.port.postMessage({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
    client.port.postMessage({ id, method: 'no message' });
    client.port.postMessage({ jsonrpc: '2.0', id, method: 'a', params: { deep: nested(65) } });
    await client.when(() => unattributed(client).length === 3);
    held.get(String(id))!();
    resultOf(await client.answerTo(id));
    await ping(client);
    expect(answersTo(client, id)).to.have.length(1);
    expect(begun).to.have.length(1);
    for (const answer of unattributed(client)) {
      expect(answer).to.have.nested.property('error.code', -32600);
    }
  });

  it('is free again once it was answered, and one of a stream when that has ended', async () => {
    const client = page();
    const listen = (id: string): void =>
      client.port.postMessage({
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: MODERN_META },
      });
    listen('a');
    listen('a');
    await client.when(() => unattributed(client).length === 1);
    client.notify('notifications/cancelled', { requestId: 'a' });
    listen('a');
    await client.when(() => client.notifications(ACKNOWLEDGED).length === 2);
    expect(unattributed(client)).to.have.length(1);
  });

  it('of a batch is answered where it was asked', async () => {
    const client = page();
    await client.initialize('2025-03-26');
    const id = client.post('tools/call', { name: 'hold' });
    client.port.postMessage([
      { jsonrpc: '2.0', id, method: 'ping' },
      { jsonrpc: '2.0', id: 'b', method: 'ping' },
    ]);
    await client.when(() => client.received.length === 3);
    expect(client.received.slice(1)).to.deep.include.members([
      [{ jsonrpc: '2.0', id: 'b', result: {} }],
    ]);
    held.get(String(id))!();
    resultOf(await client.answerTo(id));
  });
});

describe('requests in flight', () => {
  const { requestsInFlight, requestsQueued } = GUEST_LIMITS;
  const unhurried = { requestBurst: Infinity };

  it('are as many as may be, others wait, and those past that are refused', async () => {
    const client = guest(unhurried);
    const ids = Array.from({ length: requestsInFlight + requestsQueued }, () => hold(client));
    const first = await client.answerTo(hold(client));
    expect(errorOf(first)).to.deep.include({
      code: -32000,
      data: { limit: 'requestsQueued', maximum: requestsQueued },
    });
    expect(begun).to.deep.equal(ids.slice(0, requestsInFlight).map(String));
    // Each that ends lets the next one begin.
    for (const id of ids) {
      await eventually(() => held.has(String(id)));
      held.get(String(id))!();
    }
    for (const id of ids) resultOf(await client.answerTo(id));
    expect(begun).to.deep.equal(ids.map(String));
    resultOf(await client.modern('tools/list'));
  });

  it('of the page wait without an end', async () => {
    const client = page();
    const ids = Array.from({ length: 1_000 }, () =>
      client.post('resources/templates/list', { _meta: MODERN_META }),
    );
    await client.when(() => client.received.length === ids.length);
    for (const id of ids) resultOf(await client.answerTo(id));
  });

  it('do not count streams', async () => {
    const client = guest({ ...unhurried, requestsInFlight: 1, requestsQueued: 0 });
    hold(client);
    for (let count = 0; count < 3; count += 1) {
      client.post('subscriptions/listen', {
        notifications: { toolsListChanged: true },
        _meta: MODERN_META,
      });
    }
    await client.when(() => client.notifications(ACKNOWLEDGED).length === 3);
    expect(errorOf(await client.modern('tools/list')).code).to.equal(-32000);
  });

  it('that wait are never begun once they were cancelled, and make room', async () => {
    const client = guest({ ...unhurried, requestsInFlight: 1, requestsQueued: 1 });
    const [first, second] = [hold(client), hold(client)];
    client.notify('notifications/cancelled', { requestId: second });
    const third = hold(client);
    // It is answered after the cancellation, which was sent before it.
    await ping(linked.connectRaw());
    expect(begun).to.have.length(1);
    held.get(String(first))!();
    resultOf(await client.answerTo(first));
    await eventually(() => held.has(String(third)));
    held.get(String(third))!();
    resultOf(await client.answerTo(third));
    expect(begun).to.deep.equal([first, third].map(String));
    expect(answersTo(client, second)).to.deep.equal([]);
  });

  it('that are cancelled make room', async () => {
    const client = guest({ ...unhurried, requestsInFlight: 1, requestsQueued: 0 });
    const first = hold(client);
    client.notify('notifications/cancelled', { requestId: first });
    resultOf(await client.modern('tools/list'));
  });

  it('that wait end at once when they are no longer permitted', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: 'a' });
    linked.server.setLimits({ page: { requestsInFlight: 1 } });
    const { port1, port2 } = new MessageChannel();
    const number = linked.server.servePort(port2);
    const client = new RawClient(port1);
    const first = hold(client);
    const read = client.post('resources/read', { uri: `note:///${id}`, _meta: MODERN_META });
    await ping(linked.connectRaw());
    linked.server.setAccess(number, { read: ['file:///'] });
    expect(errorOf(await client.answerTo(read)).code).to.equal(-32602);
    resultOf(await client.modern('tools/list'));
    for (const one of [first, read]) expect(answersTo(client, one)).to.have.length(1);
  });
});

describe('requests that are refused in the turn in which they come', () => {
  it('are all in the log, also under one id', async () => {
    const client = page();
    const uri = `a:${'x'.repeat(3_000)}`;
    for (let count = 0; count < 100; count += 1) {
      const params = { uri: uri + count, _meta: MODERN_META };
      client.port.postMessage({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
    }
    await client.when(() => client.received.length === 100);
    const { entries } = linked.server.activity;
    expect(entries.filter(({ outcome }) => outcome === 'refused')).to.have.length(100);
  });
});

describe('an answer that cannot be put into words', () => {
  for (const revision of ['2025-03-26', '2024-11-05'] as const) {
    it(`is an error, and takes nobody's place (${revision})`, async () => {
      const own = await openLinkedServer(undefined, {
        configure(server) {
          server.addPrompt(definePrompt({ name: 'a', run: () => ({ messages: null }) as never }));
        },
      });
      own.server.setLimits({ page: { requestsInFlight: 1, requestsQueued: 0 } });
      const speak = await speaking(own.connectRaw(), revision);
      expect(errorOf(await speak('prompts/get', { name: 'a' })).code).to.equal(-32603);
      resultOf(await speak('resources/templates/list'));
      await own.server.close();
      await deleteDatabase(own.databaseName);
    });
  }
});

describe('the rate of a guest', () => {
  const timers = useFakeTimers({ stopClock: true });

  it('is a burst, after which requests are refused with the time to come again', async () => {
    const client = guest({ requestsPerSecond: 1 });
    const { requestBurst } = GUEST_LIMITS;
    const list = () => client.modern('resources/templates/list');
    for (let count = 0; count < requestBurst; count += 1) resultOf(await list());
    timers.pass(400);
    const { code, data } = errorOf(await list());
    expect(code).to.equal(-32000);
    const retryAfterMs = 600;
    expect(data).to.deep.equal({ limit: 'requestsPerSecond', maximum: 1, retryAfterMs });
    timers.pass(retryAfterMs);
    resultOf(await list());
    errorOf(await list());
  });

  it('counts notifications and what is no message, which are dropped past it', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 3 });
    client.notify('notifications/initialized');
    client.port.postMessage('garbage');
    const cancelled = hold(client);
    client.port.postMessage('garbage');
    client.notify('notifications/initialized');
    client.notify('notifications/cancelled', { requestId: cancelled });
    expect(errorOf(await client.modern('tools/list')).code).to.equal(-32000);
    // The garbage within the rate, and one for all that came past it.
    const codes = unattributed(client).map((answer) => (answer as JsonRpcError).error.code);
    expect(codes).to.deep.equal([-32600, -32000]);
    // A cancellation is always accepted.
    expect(linked.server.activity.entries[0]).to.include({ outcome: 'cancelled' });
  });

  it('counts each message of a batch', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 4 });
    await client.initialize('2025-03-26');
    // The handshake is two, and each message of the batch is one.
    client.port.postMessage(
      ['a', 'b', 'c'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping', params: {} })),
    );
    await client.when(() => client.received.length === 2);
    const answers = client.received[1] as unknown as { error?: { code: number } }[];
    expect(answers.map(({ error }) => error?.code)).to.have.members([undefined, undefined, -32000]);
  });

  it('answers each request of a batch that is past it, whatever else is in it', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 2 });
    await client.initialize('2025-03-26');
    const ping = { jsonrpc: '2.0', id: 'a', method: 'ping', params: {} };
    client.port.postMessage([ping, 'garbage', { ...ping, id: 'b' }]);
    const isBatch = (answer: unknown): boolean => Array.isArray(answer);
    const answers = (await client.when(() => client.received.find(isBatch))) as unknown as {
      id?: string;
      error: { code: number };
    }[];
    expect(answers.map(({ id, error }) => [id, error.code])).to.have.deep.members([
      [undefined, -32600],
      ['a', -32000],
      ['b', -32000],
    ]);
  });

  it('is not got round by cancelling, again and again, in ways that are refused', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 3 });
    const id = hold(client);
    for (let count = 0; count < 1_100; count += 1) {
      client.port.postMessage({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id, not: new Date() },
      });
    }
    await client.when(() => client.received.includes(null));
    expect(unattributed(client).length).to.be.below(5);
  });

  it('lets answers through to what the server has asked', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 3 });
    await client.initialize('2025-11-25', { elicitation: { form: {} } });
    const id = client.post('tools/call', { name: 'ask' });
    const asked = await client.when(
      () => client.notifications('elicitation/create')[0] as { id?: number } | undefined,
    );
    client.port.postMessage({ jsonrpc: '2.0', id: asked.id, result: { action: 'accept' } });
    expect(resultOf(await client.answerTo(id))['content']).to.deep.equal([
      { type: 'text', text: 'accept' },
    ]);
  });

  it('closes the connection of a guest that goes on and on', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 1 });
    for (let count = 0; count < 1_002; count += 1) client.post('tools/list');
    await client.when(() => client.received.at(-1) === null);
    const refused = client.received.filter((message) => message && 'error' in message);
    expect(refused).to.have.length(1_000);
    expect(linked.server.connectionCount).to.equal(0);
  });

  it('keeps the connection of a guest that was refused no more than a thousand times', async () => {
    const client = guest({ requestsPerSecond: 1, requestBurst: 1 });
    for (let count = 0; count < 1_001; count += 1) client.post('tools/list');
    await client.when(() => client.received.length === 1_001);
    expect(client.received).not.to.include(null);
    expect(linked.server.connectionCount).to.equal(1);
  });

  it('does not hold for the page', async () => {
    const client = page();
    const COUNT = 3_000;
    for (let count = 0; count < COUNT; count += 1) client.port.postMessage('garbage');
    await client.when(() => client.received.length === COUNT);
    resultOf(await client.modern('tools/list'));
  });
});

describe('the length of a uri', () => {
  const cases = (uri: string): [string, object][] => [
    ['resources/read', { uri }],
    ['resources/subscribe', { uri }],
    ['resources/unsubscribe', { uri }],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri }, argument: { name: 'a', value: '' } },
    ],
  ];

  it('is what it may be for every request that names one, and not one more', async () => {
    for (const uriLength of [2_048, 20]) {
      const client = page({ uriLength });
      await client.initialize();
      const uri = (length: number) => `a:${'x'.repeat(length - 2)}`;
      const tooLong = `longer than ${uriLength} characters`;
      for (const [method, params] of cases(uri(uriLength))) {
        const answer = await client.request(method, params as never);
        if ('error' in answer) expect(answer.error.message).not.to.contain(tooLong);
      }
      for (const [method, params] of cases(uri(uriLength + 1))) {
        const error = errorOf(await client.request(method, params as never));
        expect(error.code, method).to.equal(-32602);
        expect(error.message, method).to.contain(tooLong);
      }
      const modern = page({ uriLength });
      const listen = (length: number) =>
        modern.post('subscriptions/listen', {
          notifications: { resourceSubscriptions: ['a:b', uri(length)] },
          _meta: MODERN_META,
        });
      listen(uriLength);
      await modern.when(() => modern.notifications(ACKNOWLEDGED).length === 1);
      const error = errorOf(await modern.answerTo(listen(uriLength + 1)));
      expect(error.message).to.contain(tooLong);
    }
  });
});

describe('limits that cannot be', () => {
  it('are refused where they are set', () => {
    const bad: object[] = [
      { messageDepth: 0 },
      { messageDepth: 1_001 },
      { messageNodes: -1 },
      { messageBytes: NaN },
      { uriLength: 2_049 },
      { uriLength: '100' },
      { timeoutMs: 0 },
      { timeoutMs: null },
      { inlineBytes: -1 },
      { requestsInFlight: 0 },
      { requestsQueued: -1 },
      { subscriptions: -1 },
      { requestsPerSecond: 0 },
      { requestBurst: 0.5 },
      { requestsPerMinute: 1 },
      { toString: 1 },
    ];
    for (const limits of bad) {
      for (const who of ['page', 'guest']) {
        let error: unknown;
        try {
          linked.server.setLimits({ [who]: limits });
        } catch (thrown) {
          error = thrown;
        }
        const [name] = Object.keys(limits);
        expect(error, name).to.be.instanceOf(Error).and.to.include({ code: 'invalid-argument' });
        expect((error as Error).message).to.contain(name);
      }
    }
  });
});
