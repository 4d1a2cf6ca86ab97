import type { Remote } from '@inpage-mcp/sync';
import { natsRemote, type NatsCredentials } from '@inpage-mcp/sync/nats';
import { jetstream, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { wsconnect, type NatsConnection } from '@nats-io/nats-core';
import { expect } from '@open-wc/testing';
import { HostileServer, SyncServer, hasNats } from '../support/sync/sync-server.js';
import { codeOf, collect, remoteContract, withShortTimeouts } from './remote-contract.js';
import { until } from './until.js';

const found = await hasNats();
const { signal } = new AbortController();
const credentials = { user: 'user', pass: 'secret' };

// Without a nats-server they are skipped; CONTRIBUTING.md says how to get one.
(found ? describe : describe.skip)('a remote of NATS', () => {
  let server: SyncServer;
  let servers: string;

  before(async () => {
    const [single] = await SyncServer.nats();
    if (!single) throw new Error('There is no server.');
    server = single;
    servers = `ws://127.0.0.1:${server.port}`;
  });

  /** Does something as an administrator. */
  async function administer<Value>(
    act: (connection: NatsConnection) => Promise<Value>,
  ): Promise<Value> {
    const connection = await wsconnect({ servers, ...credentials });
    try {
      return await act(connection);
    } finally {
      await connection.close();
    }
  }

  async function deleteStream(stream: string): Promise<void> {
    await administer(async (connection) => {
      const manager = await jetstreamManager(connection);
      await manager.streams.delete(stream);
    });
  }

  const newStream = (): string => `notes-${crypto.randomUUID()}`;

  remoteContract(async () => {
    const stream = newStream();
    return {
      connect: () => natsRemote({ servers, stream, credentials: () => credentials }),
      makeAnew: () => deleteStream(stream),
      backUp: () => server.backUp(),
      rollBack: () => server.rollBack(),
      kill: () => server.kill(),
      start: () => server.start(),
    };
  });

  it('is unauthorized with other credentials, and takes those of the next connection', async () => {
    const tried: NatsCredentials[] = [
      { user: 'user', pass: 'other' },
      { token: 'other' },
      { jwt: 'other' },
      credentials,
    ];
    const remote = natsRemote({
      servers,
      stream: newStream(),
      credentials: async () => tried.shift() ?? credentials,
    });
    for (const code of ['unauthorized', 'unauthorized', 'unauthorized', 'no error'])
      expect(await codeOf(remote.state(signal))).to.equal(code);
  });

  it('does not wait for credentials for ever', async () => {
    const remote = natsRemote({ servers, credentials: () => new Promise(() => undefined) });
    await withShortTimeouts(async () => {
      expect(await codeOf(remote.state(signal))).to.equal('unavailable');
    });
  });

  it('is unauthorized where permissions do not allow it', async () => {
    const reader = { user: 'reader', pass: 'secret' };
    const remote = natsRemote({ servers, credentials: () => reader });
    expect(await codeOf(remote.state(signal))).to.equal('unauthorized');
    expect(await codeOf(remote.put('a', null, '', signal))).to.equal('unauthorized');
  });

  it('keeps every record once it is full', async () => {
    const small = { user: 'small', pass: 'secret' };
    const remote = natsRemote({ servers, credentials: () => small });
    await remote.state(signal);
    const bytes = new Uint8Array(50_000);
    const written: string[] = [];
    let code = 'no error';
    while (code === 'no error') {
      code = await codeOf(remote.put(`name-${written.length}`, bytes, '', signal));
      if (code === 'no error') written.push(`name-${written.length}`);
    }
    expect(code).to.equal('full');
    expect(written).to.have.length.greaterThan(3);
    const listed = await collect(remote.list(signal));
    expect(listed.map(({ name }) => name)).to.deep.equal(written);
  });

  it('refuses a stream that would lose records or say nothing of them', async () => {
    const stream = newStream();
    const remote = natsRemote({ servers, stream, credentials: () => credentials });
    await remote.state(signal);
    const right = await administer(async (connection) => {
      const manager = await jetstreamManager(connection);
      return (await manager.streams.info(stream)).config;
    });
    const { republish: _, ...silent } = right;
    const wrong = [
      { ...right, max_msgs_per_subject: 2 },
      { ...right, discard: 'old' },
      { ...right, allow_direct: false },
      { ...right, subjects: [`${stream}.record.>`] },
      silent,
    ] as StreamConfig[];
    for (const config of wrong) {
      await deleteStream(stream);
      await administer(async (connection) => {
        await (await jetstreamManager(connection)).streams.add(config);
      });
      expect(await codeOf(remote.state(signal)), JSON.stringify(config)).to.equal('invalid');
    }
  });

  it('leaves out messages of others', async () => {
    const stream = newStream();
    const remote = natsRemote({ servers, stream, credentials: () => credentials });
    await remote.state(signal);
    await administer(async (connection) => {
      const client = jetstream(connection);
      for (const name of ['a.b', 'é', 'a'.repeat(65)])
        await client.publish(`${stream}.record.${name}`, 'one');
    });
    await remote.put('a', new Uint8Array(1), '', signal);
    expect((await collect(remote.since('', signal))).map(({ name }) => name)).to.deep.equal(['a']);
    expect((await collect(remote.list(signal))).map(({ name }) => name)).to.deep.equal(['a']);
  });

  it('has no bytes for what is larger than it may be, and goes on', async () => {
    const stream = newStream();
    const remote = natsRemote({ servers, stream, credentials: () => credentials });
    await remote.state(signal);
    await administer(async (connection) => {
      const client = jetstream(connection);
      for (const kind of ['record', 'piece'])
        await client.publish(`${stream}.${kind}.a`, new Uint8Array(1_000_001));
    });
    await remote.put('b', new Uint8Array(1), '', signal);
    const changes = await collect(remote.since('', signal));
    expect(changes.map(({ bytes }) => bytes?.length)).to.deep.equal([0, 1]);
    expect((await remote.get('a', signal))?.bytes).to.have.length(0);
    expect(await remote.pieces.get('a', signal)).to.have.length(0);
  });

  it('takes no other position than its own', async () => {
    const remote = natsRemote({ servers, stream: newStream(), credentials: () => credentials });
    await remote.state(signal);
    expect(await codeOf(collect(remote.since('no position', signal)))).to.equal('invalid');
  });

  it('gets no write that the stream has refused', async () => {
    const stream = newStream();
    const connect = (): Remote => natsRemote({ servers, stream, credentials: () => credentials });
    const [remote, other] = [connect(), connect()];
    await remote.state(signal);
    let notices = 0;
    const controller = new AbortController();
    const listening = remote.live(() => (notices += 1), controller.signal).catch(() => 'ended');
    // The subscription is on the same connection before it.
    await remote.state(signal);
    const version = await other.put('a', new Uint8Array(1), '', signal);
    expect(await codeOf(other.put('a', new Uint8Array(1), '', signal))).to.equal('conflict');
    await other.put('a', new Uint8Array(1), version, signal);
    await remote.get('a', signal);
    controller.abort();
    expect(await listening).to.equal('ended');
    expect(notices).to.equal(2);
  });

  it('leaves no consumer behind', async () => {
    const stream = newStream();
    const remote = natsRemote({ servers, stream, credentials: () => credentials });
    await remote.state(signal);
    await remote.put('a', new Uint8Array(1), '', signal);
    await collect(remote.since('', signal));
    for await (const change of remote.since('', signal)) if (change) break;
    await remote.state(signal);
    const consumers = await administer(async (connection) => {
      const manager = await jetstreamManager(connection);
      return (await manager.streams.info(stream)).state.consumer_count;
    });
    expect(consumers).to.equal(0);
  });

  /** The code of what a server says soon; `silent` where it does not. */
  const answerOf = (remote: Remote): Promise<string> =>
    codeOf(remote.state(AbortSignal.timeout(1_000))).catch(() => 'silent');

  it('is unavailable where the server hangs', async () => {
    const stream = newStream();
    const connect = (): Remote => natsRemote({ servers, stream, credentials: () => credentials });
    const [connected, late] = [connect(), connect()];
    await connected.state(signal);
    await server.pause();
    try {
      // On a busy machine it goes on for a moment.
      // timed: on a busy machine a server goes on for a moment.
      while ((await answerOf(connected)) === 'no error');
      const codes = [
        connected.state(signal),
        connected.put('a', null, '', signal),
        late.state(signal),
      ];
      const controller = new AbortController();
      const aborted = connected.get('a', controller.signal).catch((error: unknown) => error);
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await aborted).to.equal(reason);
      expect(await Promise.all(codes.map(codeOf))).to.deep.equal(Array(3).fill('unavailable'));
    } finally {
      await server.goOn();
    }
  });

  it('closes its connection when nobody uses it, and opens another', async () => {
    const sockets: WebSocket[] = [];
    const { WebSocket: Original } = globalThis;
    globalThis.WebSocket = class extends Original {
      constructor(url: string | URL) {
        super(url);
        sockets.push(this);
      }
    };
    try {
      const remote = natsRemote({ servers, credentials: () => credentials });
      await remote.state(signal);
      await remote.get('a', signal);
      expect(sockets).to.have.length(1);
      await until(() => sockets[0]?.readyState === WebSocket.CLOSED);
      await remote.get('a', signal);
      expect(sockets).to.have.length(2);
    } finally {
      globalThis.WebSocket = Original;
    }
  });

  it('is unavailable where the server is none of NATS', async () => {
    const hostile = await HostileServer.open();
    await hostile.answer({ '*': { body: 'INFO {}' } });
    const remote = natsRemote({ servers: `ws://127.0.0.1:${hostile.port}` });
    expect(await codeOf(remote.state(signal))).to.equal('unavailable');
    expect(await codeOf(remote.live(() => undefined, signal))).to.equal('unavailable');
  });
});
