import { expect } from '@esm-bundle/chai';
import { ClientError, connectClient, type ClientState } from '@inpage-mcp/client';
import { MessagePortTransport, TransportError } from '@inpage-mcp/transport';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import {
  DISCOVERED,
  discovering,
  scriptedPeer,
  scriptedServer,
  type ScriptedServer,
} from './scripted-peer.js';
import {
  connectToServers,
  inState,
  nextTask,
  pending,
  scriptedServers,
} from './scripted-servers.js';

describe('the way to a connection', () => {
  it('begins anew when the first is lost before it has answered', async () => {
    const all = scriptedServers((index) =>
      index < 2
        ? { ...scriptedServer(), ...scriptedPeer((_, port) => port.postMessage(null)) }
        : scriptedServer(),
    );
    const { client } = await connectToServers({}, all);
    expect(all.signals).to.have.length(3);
    // Not even those that led to nothing are notified of it later.
    await client.close();
  });

  it('is tried until it works, for the first and for any other', async () => {
    const all = scriptedServers();
    all.gate = (call) => {
      if (call < 2 || call === 3 || call === 4) throw new Error('not yet');
    };
    const { client, first } = await connectToServers({}, all);
    expect(all.signals).to.have.length(3);
    first.hangUp();
    await inState(client, 'reconnecting');
    await inState(client, 'open');
    expect(all.signals).to.have.length(6);
    // It was no use, and the caller that tried may know.
    expect(all.signals.map(({ aborted }) => aborted).filter(Boolean)).to.have.length(4);
    await client.close();
  });

  it('ends for good when nothing works within the time', async () => {
    const { all, client, first } = await connectToServers({ reconnectTimeoutMs: 50 });
    const cause = new Error('nobody there');
    all.gate = () => Promise.reject(cause);
    const states: ClientState[] = [];
    client.watchState((state) => states.push(state));
    const watch = client.watch('a:b', () => undefined);
    const read = failureOf(client.readResource('a:b'));
    await first.request(1);
    first.hangUp();
    await client.closed;
    const error = (await read) as ClientError;
    expect(error).to.be.instanceOf(ClientError).and.include({ code: 'closed' });
    expect(error.cause).to.be.instanceOf(ClientError).and.include({ code: 'timeout' });
    expect((error.cause as Error).cause).to.equal(cause);
    expect(await failureOf(watch.ready)).to.include({ code: 'closed' });
    expect(await failureOf(client.listTools())).to.include({ code: 'closed' });
    expect(states).to.deep.equal(['reconnecting', 'closed']);
    const attempts = all.signals.length;
    expect(all.signals.slice(1).every(({ aborted }) => aborted)).to.equal(true);
    await client.close();
    expect(all.signals).to.have.length(attempts);
  });

  it('ends with the time, the signal and the cause when there is no first', async () => {
    const cause = new Error('nobody there');
    const open = (): never => {
      throw cause;
    };
    const late = (await failureOf(connectClient(open, { timeoutMs: 30 }))) as ClientError;
    expect(late).to.be.instanceOf(ClientError).and.include({ code: 'timeout', cause });
    const controller = new AbortController();
    const connecting = failureOf(connectClient(open, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await connecting).to.include({ message: 'enough' });
    let opened = false;
    const never = (): never => {
      opened = true;
      throw cause;
    };
    const { signal } = controller;
    expect(await failureOf(connectClient(never, { signal }))).to.include({ message: 'enough' });
    expect(opened).to.equal(false);
  });

  it('ends, and notifies its opener, when that takes too long', async () => {
    const signals: AbortSignal[] = [];
    const open = (signal: AbortSignal): Promise<never> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const error = await failureOf(connectClient(open, { timeoutMs: 20 }));
    expect(error).to.include({ code: 'timeout' });
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
  });

  it('goes past a transport that does not start', async () => {
    const closed = pending();
    class Stuck extends MessagePortTransport {
      override start(): Promise<void> {
        return new Promise(() => undefined);
      }

      override async close(): Promise<void> {
        closed.resolve();
        await super.close();
      }
    }
    const open = (): Stuck => new Stuck(new MessageChannel().port1);
    const error = await failureOf(connectClient(open, { timeoutMs: 20 }));
    expect(error).to.include({ code: 'timeout' });
    await closed.promise;
  });

  it('goes past a server that says nothing', async () => {
    const silent = pending();
    const all = scriptedServers((index) => {
      if (index !== 1) return scriptedServer();
      const peer = scriptedPeer(() => undefined);
      peer.port.addEventListener('message', ({ data }) => data === null && silent.resolve());
      return { ...scriptedServer(), ...peer };
    });
    const { client, first } = await connectToServers({ timeoutMs: 2_000 }, all);
    const read = client.readResource('a:b');
    await first.request(0);
    first.hangUp();
    const third = await all.server(2);
    third.answer(await third.request(0), { contents: [] });
    await read;
    await silent.promise;
    await client.close();
  });

  const finals: [what: string, error: Error][] = [
    ...['closed', 'refused', 'worker-failed', 'invalid-argument', 'no-window'].map(
      (code): [string, Error] => [`"${code}"`, Object.assign(new Error('no use'), { code })],
    ),
    ['a mistake of the program', new TypeError('no origin')],
  ];
  for (const [what, final] of finals) {
    it(`ends at once when it is ${what}`, async () => {
      const open = (): Promise<never> => Promise.reject(final);
      expect(await failureOf(connectClient(open))).to.equal(final);
      const { all, client, first } = await connectToServers();
      all.gate = open;
      const read = failureOf(client.readResource('a:b'));
      await first.request(0);
      first.hangUp();
      await client.closed;
      expect(await read).to.include({ code: 'closed', cause: final });
      expect(all.signals).to.have.length(2);
    });
  }

  it('goes on when it fails in another way', async () => {
    const all = scriptedServers();
    const failures: unknown[] = [
      new TransportError('busy', 'come again later'),
      undefined,
      null,
      'closed',
    ];
    all.gate = (call) => {
      if (call < failures.length) throw failures[call] as Error;
    };
    const { client } = await connectToServers({}, all);
    expect(all.signals).to.have.length(5);
    await client.close();
  });

  it('asks again a server that is only busy', async () => {
    const busy = (): ScriptedServer => ({
      ...scriptedServer(),
      ...scriptedPeer((message, port) => {
        if (!('id' in message)) return;
        const data = { limit: 'requestsPerSecond', retryAfterMs: 5 };
        const error = { code: -32000, message: 'try again later', data };
        port.postMessage({ jsonrpc: '2.0', id: message.id, error });
      }),
    });
    const servers = scriptedServers((index) => (index % 2 === 0 ? busy() : scriptedServer()));
    const client = await connectClient(servers.open);
    expect(servers.signals).to.have.length(2);
    const read = client.readResource('a:b');
    read.catch(() => undefined);
    const first = await servers.server(1);
    await first.request(0);
    first.hangUp();
    // The one after the next that is busy.
    await (await servers.server(3)).request(0);
    await client.close();
  });

  it('ends at once at a server that refuses, or speaks other revisions', async () => {
    const refusing = (): ScriptedServer => ({
      ...scriptedServer(),
      ...scriptedPeer((message, port) => {
        if (!('id' in message)) return;
        const error = { code: -32601, message: 'legacy' };
        port.postMessage({ jsonrpc: '2.0', id: message.id, error });
      }),
    });
    const foreign = (): ScriptedServer =>
      scriptedServer([], { ...DISCOVERED, supportedVersions: ['2027-01-01'] });
    for (const [make, expected] of [
      [refusing, { code: -32601 }],
      [foreign, { code: 'unsupported' }],
    ] as const) {
      const never = scriptedServers(make);
      expect(await failureOf(connectClient(never.open))).to.include(expected);
      expect(never.signals).to.have.length(1);
      const later = scriptedServers((index) => (index === 0 ? scriptedServer() : make()));
      const { client, first } = await connectToServers({}, later);
      const read = failureOf(client.readResource('a:b'));
      await first.request(0);
      first.hangUp();
      const error = (await read) as ClientError;
      expect(error).to.include({ code: 'closed' });
      expect(error.cause).to.include(expected);
      expect(later.signals).to.have.length(2);
    }
  });

  it('has its transport closed when the signal of a plain one has aborted before', async () => {
    const { transport, port } = discovering();
    const closed = new Promise<void>((resolve) =>
      port.addEventListener('message', ({ data }) => data === null && resolve()),
    );
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await failureOf(connectClient(transport, { signal }))).to.include({ message: 'enough' });
    await closed;
  });
});

describe('the time of a client that reconnects', () => {
  const timers = useFakeTimers();
  const { random } = Math;

  beforeEach(() => {
    Math.random = () => 0;
  });

  afterEach(() => {
    Math.random = random;
  });

  it('goes on for a request that is repeated', async () => {
    const { all, client, first } = await connectToServers();
    const read = failureOf(client.readResource('a:b'));
    await first.request(0);
    timers.pass(20_000);
    first.hangUp();
    const second = await all.server(1);
    await second.request(0);
    timers.pass(9_999);
    await nextTask();
    expect(client.state).to.equal('open');
    timers.pass(1);
    const error = (await read) as ClientError;
    expect(error).to.include({ code: 'timeout' });
    expect(error.message).to.contain('resources/read').and.contain('30000 ms');
    await client.close();
    expect(timers.running).to.equal(0);
  });

  it('starts anew with progress on the new connection', async () => {
    const { all, client, first } = await connectToServers();
    const report = pending();
    const onprogress = (): void => report.resolve();
    const read = client.readResource('a:b', { onprogress });
    await first.request(0);
    timers.pass(20_000);
    first.hangUp();
    const second = await all.server(1);
    const request = await second.request(0);
    second.reportProgress(request, { progress: 1 });
    await report.promise;
    timers.pass(29_999);
    second.answer(request, { contents: [] });
    await read;
    await client.close();
    expect(timers.running).to.equal(0);
  });

  it('grows between attempts, and ends a minute after the loss', async () => {
    const { all, client, first } = await connectToServers();
    all.gate = () => Promise.reject(new Error('not yet'));
    first.hangUp();
    await inState(client, 'reconnecting');
    await nextTask();
    const pauses: number[] = [];
    let passed = 0;
    let since = 0;
    while (passed < 59_900) {
      const attempts = all.signals.length;
      timers.pass(100);
      passed += 100;
      await nextTask();
      if (all.signals.length === attempts) continue;
      pauses.push(passed - since);
      since = passed;
    }
    expect(pauses.slice(0, 8)).to.deep.equal([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    timers.pass(99);
    await nextTask();
    expect(client.state).to.equal('reconnecting');
    timers.pass(1);
    await client.closed;
    expect(timers.running).to.equal(0);
  });

  it('begins anew after a sleep, with an attempt at once, and as often as that happens', async () => {
    const { now } = performance;
    let slept = 0;
    performance.now = () => now.call(performance) + slept;
    try {
      const { all, client, first } = await connectToServers();
      all.gate = () => new Promise(() => undefined);
      first.hangUp();
      await inState(client, 'reconnecting');
      await nextTask();
      for (let times = 0; times < 2; times += 1) {
        const attempts = all.signals.length;
        slept += 3_600_000;
        // The timers are due all at once, as when a page wakes up.
        timers.pass(60_000);
        await nextTask();
        expect(client.state).to.equal('reconnecting');
        expect(all.signals.length).to.be.above(attempts);
        expect(all.signals.at(-1)!.aborted).to.equal(false);
      }
      all.gate = () => undefined;
      timers.pass(30_100);
      await nextTask();
      timers.pass(100);
      await inState(client, 'open');
      await client.close();
      expect(timers.running).to.equal(0);
    } finally {
      performance.now = now;
    }
  });

  it('ends at its limit where the page was awake, if a little late', async () => {
    const { now } = performance;
    let late = 0;
    performance.now = () => now.call(performance) + late;
    try {
      const { all, client, first } = await connectToServers();
      all.gate = () => Promise.reject(new Error('not yet'));
      first.hangUp();
      await inState(client, 'reconnecting');
      late = 61_000;
      timers.pass(60_000);
      await client.closed;
      expect(timers.running).to.equal(0);
    } finally {
      performance.now = now;
    }
  });

  it('never ends when that is said', async () => {
    const { all, client, first } = await connectToServers({ reconnectTimeoutMs: Infinity });
    const gate = pending();
    all.gate = (call) => (call === 1 ? gate.promise : undefined);
    first.hangUp();
    await inState(client, 'reconnecting');
    await nextTask();
    timers.pass(3_600_000);
    await nextTask();
    // The attempt was given up after its 30 seconds, and another is due.
    timers.pass(100);
    await all.server(1);
    await inState(client, 'open');
    await client.close();
    expect(timers.running).to.equal(0);
  });

  it('does not begin at nothing again when a server hangs up as soon as it has answered', async () => {
    const { now } = performance;
    let time = 0;
    performance.now = () => time;
    try {
      const { all, client } = await connectToServers();
      /** Loses the connection in use; resolves with the pause before the next. */
      const pauseAfterLoss = async (): Promise<number> => {
        const calls = all.signals.length;
        (await all.server(calls - 1)).hangUp();
        await inState(client, 'reconnecting');
        await nextTask();
        let waited = 0;
        for (; all.signals.length === calls; waited += 50) {
          timers.pass(50);
          await nextTask();
        }
        await inState(client, 'open');
        return waited;
      };
      expect(await pauseAfterLoss()).to.equal(0);
      expect(await pauseAfterLoss()).to.equal(100);
      time += 4_999;
      expect(await pauseAfterLoss()).to.equal(200);
      time += 5_000;
      expect(await pauseAfterLoss()).to.equal(0);
      await client.close();
    } finally {
      performance.now = now;
    }
  });
});
