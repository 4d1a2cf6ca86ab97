import { GUEST_LIMITS, type ConnectionLimits, type ServedPortOptions } from '@inpage-mcp/server';
import { expect } from '@esm-bundle/chai';
import { usedHeapBytes } from '../scenarios/browser.js';
import { arrived } from '../support/arrived.js';
import { useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';
// Internal to the package: what a message weighs decides how many there may be.
import { measure } from '../../packages/protocol/src/fairness/message-budget.js';
import { eventually } from '../support/within.js';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const MEBIBYTE = 1024 * 1024;

const linked = useLinkedServer();

const limit = (guest: Partial<ConnectionLimits>): void => linked.server.setLimits({ guest });

/** One more connection of a frame; of a holder of its own, without one. */
function connect(frame?: string, options: ServedPortOptions = {}): RawClient {
  const { port1, port2 } = new MessageChannel();
  linked.server.servePort(port2, { limits: 'guest', ...(frame && { frame }), ...options });
  return new RawClient(port1);
}

const listen = (client: RawClient, notifications: object, more: object = {}): number =>
  client.post('subscriptions/listen', { notifications, _meta: MODERN_META, ...more });

const isOver = (client: RawClient): boolean => client.received.at(-1) === null;

/** Ends a connection, and resolves when the server knows. */
async function end(client: RawClient): Promise<void> {
  const before = linked.server.connectionCount;
  client.port.postMessage(null);
  await eventually(() => linked.server.connectionCount !== before);
}

describe('the connections of one frame', () => {
  it('have one rate, and no other holder has it', async () => {
    const BURST = 100;
    limit({ requestsPerSecond: 1, requestBurst: BURST });
    const ask = (client: RawClient): number =>
      client.post('resources/templates/list', { _meta: MODERN_META });
    const refusalsOf = (client: RawClient) =>
      client.received.flatMap((one) => (one && 'error' in one ? one.error : []));
    const [one, two, other, port] = [connect('a'), connect('a'), connect('b'), connect()];
    for (let count = 0; count < BURST; count += 1) for (const client of [one, two]) ask(client);
    await Promise.all(
      [one, two].map((client) => client.when(() => client.received.length === BURST)),
    );
    const refused = [...refusalsOf(one), ...refusalsOf(two)];
    // Some tokens come in the time that it takes.
    expect(refused.length).to.be.within(BURST / 2, BURST);
    expect(refusalsOf(two)).not.to.be.empty;
    expect(refused[0]!.code).to.equal(-32000);
    expect(refused[0]!.data).to.include({ limit: 'requestsPerSecond', maximum: 1 });
    for (const client of [other, port, connect()]) resultOf(await client.modern('tools/list'));
    // A new connection does not make a new holder.
    await end(one);
    await end(two);
    const again = connect('a');
    for (let count = 0; count < BURST; count += 1) ask(again);
    await again.when(() => again.received.length === BURST);
    expect(refusalsOf(again)).not.to.be.empty;
  });

  it('have one number of subscriptions, which each gives back when it ends', async () => {
    limit({ subscriptions: 3 });
    const [one, two] = [connect('a'), connect('a')];
    listen(one, { resourceSubscriptions: ['note:///1', 'note:///2'] });
    await one.when(() => one.notifications(ACKNOWLEDGED).length === 1);
    const tooMany = listen(two, { resourceSubscriptions: ['note:///1', 'note:///2'] });
    expect(errorOf(await two.answerTo(tooMany))).to.deep.include({
      code: -32602,
      data: { limit: 'subscriptions', maximum: 3 },
    });
    const stream = listen(two, { toolsListChanged: true });
    await two.when(() => two.notifications(ACKNOWLEDGED).length === 1);
    expect(errorOf(await two.modern('subscriptions/listen', { notifications: {} })).code).to.equal(
      -32602,
    );
    two.notify('notifications/cancelled', { requestId: stream });
    listen(two, { toolsListChanged: true });
    await two.when(() => two.notifications(ACKNOWLEDGED).length === 2);
    await end(one);
    listen(two, { resourceSubscriptions: ['note:///1', 'note:///2'] });
    await two.when(() => two.notifications(ACKNOWLEDGED).length === 3);
  });

  it('have one number in the legacy era, too', async () => {
    limit({ subscriptions: 2 });
    const [one, two] = [connect('a'), connect('a')];
    await Promise.all([one.initialize(), two.initialize()]);
    const subscribe = (client: RawClient, uri: string) =>
      client.request('resources/subscribe', { uri });
    resultOf(await subscribe(one, 'note:///1'));
    resultOf(await subscribe(two, 'note:///1'));
    resultOf(await subscribe(two, 'note:///1'));
    expect(errorOf(await subscribe(one, 'note:///2')).code).to.equal(-32602);
    resultOf(await two.request('resources/unsubscribe', { uri: 'note:///1' }));
    resultOf(await subscribe(one, 'note:///2'));
  });
});

describe('what is kept of the messages of a holder', () => {
  const text = 'x'.repeat(1_000);
  const params = { name: 'create_note', arguments: { title: 'a', text }, _meta: MODERN_META };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { bytes } = measure(message, GUEST_LIMITS);
  let answers: ((isAllowed: boolean) => void)[];

  beforeEach(() => {
    answers = [];
    linked.server.confirm = () => new Promise((resolve) => answers.push(resolve));
  });

  const writer = (): RawClient => connect('a', { access: { write: 'ask' } });

  it('is counted while the user is asked, on all connections, up to the limit', async () => {
    limit({ keptBytes: 2 * bytes });
    const [one, two] = [writer(), writer()];
    const first = one.post('tools/call', params);
    await arrived();
    const second = two.post('tools/call', params);
    await arrived();
    // Answered behind both, although there is no room for a request any more.
    const refused = errorOf(await one.modern('tools/list'));
    expect(refused).to.deep.include({
      code: -32000,
      data: { limit: 'keptBytes', maximum: 2 * bytes },
    });
    expect(errorOf(await two.modern('tools/list')).code).to.equal(-32000);
    await eventually(() => answers.length > 0);
    answers.pop()!(true);
    resultOf(await one.answerTo(first));
    resultOf(await one.modern('resources/templates/list'));
    await eventually(() => answers.length > 0);
    answers.pop()!(true);
    resultOf(await two.answerTo(second));
  });

  it('leaves no room for one that is a byte too large', async () => {
    limit({ keptBytes: bytes });
    const client = writer();
    const larger = { ...params, arguments: { title: 'ab', text } };
    // Later there is no more room for it.
    expect(errorOf(await client.answerTo(client.post('tools/call', larger)))).to.deep.include({
      code: -32600,
      data: { limit: 'keptBytes', maximum: bytes },
    });
    client.post('tools/call', params);
    await eventually(() => answers.length > 0);
  });

  it('makes room when it is cancelled, and when its connection ends', async () => {
    limit({ keptBytes: bytes });
    const [one, two] = [writer(), writer()];
    const first = one.post('tools/call', params);
    await arrived();
    expect(errorOf(await two.modern('tools/list')).code).to.equal(-32000);
    one.notify('notifications/cancelled', { requestId: first });
    // Behind the cancellation.
    const isRefused = async () => 'error' in (await two.modern('resources/templates/list'));
    await eventually(async () => !(await isRefused()));
    one.post('tools/call', params);
    await arrived();
    await eventually(isRefused);
    await end(one);
    resultOf(await two.modern('resources/templates/list'));
  });

  it('holds what clients say of themselves, for as long as they are connected', async () => {
    limit({ keptBytes: 2_000 });
    const [one, two] = [connect('a'), connect('a')];
    resultOf(await one.initialize('2025-11-25', { experimental: { a: { x: 'x'.repeat(1_500) } } }));
    expect(errorOf(await two.initialize('2025-11-25', { experimental: { a: { text } } })))
      .to.deep //
      .include({ code: -32000, data: { limit: 'keptBytes', maximum: 2_000 } });
    await end(one);
    resultOf(await connect('a').initialize('2025-11-25', { experimental: { a: { text } } }));
  });

  it('holds the answers of a batch that wait for the others', async () => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text: text + text });
    limit({ keptBytes: 4_500 });
    const client = connect('a');
    await client.initialize('2025-03-26');
    const batch = [1, 2, 3].map((number) => ({
      jsonrpc: '2.0',
      id: `read ${number}`,
      method: 'resources/read',
      params: { uri: `note:///${id}` },
    }));
    for (const count of [1, 2]) {
      client.port.postMessage(batch);
      // There is room for the first; the last waits for nobody.
      const answers = await client.when(
        () => client.received.filter((one) => Array.isArray(one))[count - 1],
      );
      const errors = (answers as unknown as { error?: { data: object } }[]).flatMap(
        ({ error }) => error ?? [],
      );
      expect(errors).to.have.length(1);
      expect(errors[0]!.data).to.deep.equal({ limit: 'keptBytes', maximum: 4_500 });
    }
  });

  it('is next to nothing of a stream, however large its message was', async function () {
    this.timeout(60_000);
    const STREAMS = 50;
    const client = connect('a');
    limit({ requestBurst: Infinity });
    const filler = 'x'.repeat(0.9 * MEBIBYTE);
    const before = await usedHeapBytes();
    // Only the DevTools protocol says how much that is.
    if (before === undefined) return this.skip();
    for (let count = 0; count < STREAMS; count += 1) {
      listen(client, { toolsListChanged: true }, { filler });
    }
    await client.when(() => client.notifications(ACKNOWLEDGED).length === STREAMS);
    const growth = (await usedHeapBytes())! - before;
    expect(growth).to.be.below((STREAMS * filler.length) / 10);
  });
});

describe('a holder whose messages take long to read, and are refused', () => {
  it('loses all its connections, and has none for a while', async function () {
    this.timeout(60_000);
    const [one, two, other] = [connect('a'), connect('a'), connect('b')];
    const message: { [key: string]: unknown } = {};
    for (let key = 0; key < 400_000; key += 1) message[`key ${key}`] = key;
    // One after the other: what is behind the one that is too much is not read any more.
    while (!isOver(one)) {
      one.port.postMessage(message);
      await one.when(() => one.received.length > 0);
      one.received.splice(0, one.received.length - 1);
      if (!isOver(one)) one.received.length = 0;
    }
    await two.when(() => isOver(two));
    const again = connect('a');
    await again.when(() => isOver(again));
    resultOf(await other.modern('tools/list'));
    expect(linked.server.connectionCount).to.equal(1);
  });
});
