import { RemoteError, type Remote } from '@inpage-mcp/sync';
import { natsRemote } from '@inpage-mcp/sync/nats';
import { expect } from '@open-wc/testing';
import { SyncServer, hasNats } from '../support/sync/sync-server.js';
import { collect } from './remote-contract.js';

const { signal } = new AbortController();
const found = await hasNats();

/** How often a server is asked that is away. An election needs some dozens, on a busy machine too. */
const ATTEMPTS = 1_000;

/** How many records are written after each fault. */
const WRITES = 25;

// Without a nats-server they are skipped; CONTRIBUTING.md says how to get one.
(found ? describe : describe.skip)('a remote of a cluster of NATS', () => {
  let nodes: SyncServer[];
  let remote: Remote;

  before(async () => {
    nodes = await SyncServer.nats(3);
    remote = connect('notes');
    await again(() => remote.state(signal));
  });

  const connect = (stream: string, replicas = 3): Remote =>
    natsRemote({
      servers: nodes.map(({ port }) => `ws://127.0.0.1:${port}`),
      credentials: () => ({ user: 'user', pass: 'secret' }),
      stream,
      replicas,
    });

  /** Tries until the server is there, as the engine does. */
  async function again<Value>(call: () => Promise<Value>): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        const isAway = error instanceof RemoteError && error.code === 'unavailable';
        if (!isAway || attempt === ATTEMPTS) throw error;
        // timed: between two attempts.
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  /** Writes a record; one whose answer was lost is there already. */
  async function write(name: string): Promise<void> {
    const bytes = new TextEncoder().encode(name);
    try {
      await again(() => remote.put(name, bytes, '', signal));
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code !== 'conflict') throw error;
      const record = await again(() => remote.get(name, signal));
      expect(record?.bytes).to.deep.equal(bytes);
    }
  }

  it('waits while it knows of too few servers, as one that has just started does', async () => {
    const refused = await connect('first', 5)
      .state(signal)
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(RemoteError);
    expect((refused as RemoteError).code).to.equal('unavailable');
    expect((refused as RemoteError).message).to.contain('no suitable peers');
  });

  it('loses nothing while each server in turn is killed, and then all', async function () {
    // Only for what hangs: each server that is missed costs the elections of three clusters.
    this.timeout(500_000);
    const { epoch } = await again(() => remote.state(signal));
    const written: string[] = [];
    const writeMore = async (): Promise<void> => {
      for (let i = 0; i < WRITES; i += 1) {
        const name = `name-${written.length}`;
        await write(name);
        written.push(name);
      }
    };
    for (const node of nodes) {
      const writing = writeMore();
      await node.kill();
      await writing;
      await writeMore();
      await node.start();
    }
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map((node) => node.start()));
    await writeMore();
    const changes = await again(() => collect(remote.since('', signal)));
    expect(changes.map(({ name }) => name)).to.deep.equal(written);
    expect((await again(() => remote.state(signal))).epoch).to.equal(epoch);
  });
});
