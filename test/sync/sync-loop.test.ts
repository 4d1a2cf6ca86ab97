import { expect } from '@open-wc/testing';
import { SyncLoop, type LoopStatus } from '../../packages/sync/src/engine/sync-loop.js';
import { createVault } from '../../packages/sync/src/keys/vault.js';
import { sealRecord } from '../../packages/sync/src/keys/records.js';
import { nameOf } from '../../packages/sync/src/keys/vault-keys.js';
import { MemoryServer } from '../support/sync/memory-remote.js';
import { Device } from './device-under-test.js';
import { noteOf } from './sync-under-test.js';
import { until } from './until.js';
import { itInAll } from '../support/it-in-all.js';

/** A device that is kept up to date, until it is stopped. */
interface Running {
  device: Device;
  loop: SyncLoop;
  statuses: LoopStatus[];
  stop: () => Promise<void>;
}

describe('the loop of a sync', () => {
  let server: MemoryServer;
  let running: Running[];

  const start = async (title: string): Promise<Running> => {
    const remote = server.connect();
    const device = await new Device(title).open(remote);
    const statuses: LoopStatus[] = [];
    const loop = new SyncLoop({
      engine: device.engine,
      remote,
      listen: (listener) =>
        device.store.changes.listen((changes) => {
          if (changes.some(({ origin }) => origin !== 'sync')) listener();
        }),
      onstatus: (status) => statuses.push(status),
      random: () => 0,
    });
    const controller = new AbortController();
    const ended = loop.run(controller.signal);
    const one = {
      device,
      loop,
      statuses,
      stop: async () => {
        controller.abort(new Error('enough'));
        await ended;
      },
    };
    running.push(one);
    return one;
  };
  const isIdle = ({ statuses }: Running): boolean => statuses.at(-1)?.state === 'idle';

  beforeEach(() => {
    server = new MemoryServer();
    running = [];
  });

  afterEach(async () => {
    for (const { stop, device } of running) {
      await stop();
      await device.close();
    }
  });

  it('shows on one device what another has written, and then does nothing', async () => {
    const [a, b] = [await start('a'), await start('b')];
    const { id } = await a.device.store.notes.create({ title: 't', text: 'one' });
    await until(async () => (await b.device.texts())[id] === 'one');
    await until(() => isIdle(a) && isIdle(b));
    const { last } = server.contents;
    const rounds = b.statuses.length;
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.contents.last).to.equal(last);
    expect(b.statuses.length - rounds).to.be.below(3);
  });

  it('waits where the server is down, and goes on when the user wants it', async () => {
    const a = await start('a');
    await until(() => isIdle(a));
    server.goDown();
    await a.device.store.notes.create({ title: 't', text: 'one' });
    await until(() => a.statuses.at(-1)?.state === 'waiting');
    expect(a.statuses.at(-1)?.reason).to.equal('unavailable');
    server.isDown = false;
    a.loop.syncNow();
    await until(() => isIdle(a));
    expect(await a.device.sync.countUnsynced()).to.equal(0);
  });

  itInAll('goes on by itself after a pause, and listens again', async () => {
    const [a, b] = [await start('a'), await start('b')];
    await until(() => isIdle(a) && isIdle(b));
    server.goDown();
    const { id } = await a.device.store.notes.create({ title: 't', text: 'one' });
    await until(() => a.statuses.at(-1)?.state === 'waiting');
    server.isDown = false;
    await until(() => isIdle(a));
    await until(async () => (await b.device.texts())[id] === 'one');
    // The server notifies it of what comes now.
    await a.device.store.notes.update(id, { text: 'two' });
    await until(async () => (await b.device.texts())[id] === 'two');
  });

  for (const how of ['goes on by itself', 'is told to'])
    itInAll(`brings back what the server has lost while it was away, when it ${how}`, async () => {
      const a = await start('a');
      await until(() => isIdle(a));
      server.backUp();
      const { id } = await a.device.store.notes.create({ title: 't', text: 'one' });
      await until(async () => isIdle(a) && (await a.device.sync.countUnsynced()) === 0);
      server.rollBack();
      const b = await new Device('b').open(server.connect());
      const others = Array.from({ length: 4 }, () => ({ title: 'other', text: '' }));
      await b.store.notes.createAll(others);
      await b.round();
      await until(async () => Object.keys(await a.device.texts()).length > 1);
      await b.round();
      expect(await b.texts()).not.to.have.property(id);
      if (how === 'is told to') a.loop.syncNow();
      else {
        a.device.now += 600_000;
        server.goDown();
        server.isDown = false;
      }
      await until(async () => {
        await b.round();
        return (await b.texts())[id] === 'one';
      });
      await b.close();
    });

  it('keeps no timer of a pause that has ended', async () => {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const pauses = new Set<unknown>();
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      const id = set(run, ms);
      if (ms === 3_600_000) pauses.add(id);
      return id;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (id) => {
      pauses.delete(id);
      clear(id);
    };
    try {
      const a = await start('a');
      for (let i = 0; i < 5; i += 1) {
        const before = a.statuses.length;
        a.loop.retry();
        await until(() => a.statuses.length > before && isIdle(a));
      }
      await until(() => pauses.size === 1);
    } finally {
      Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    }
  });

  it('says why it waits: no room, and a database that was left', async () => {
    const a = await start('a');
    await until(() => isIdle(a));
    server.isFull = true;
    await a.device.store.notes.create({ title: 't', text: 'one' });
    await until(() => a.statuses.at(-1)?.reason === 'full');
    server.isFull = false;
    await a.device.sync.leave();
    a.loop.syncNow();
    await until(() => a.statuses.at(-1)?.reason === 'storage');
  });

  it('ends where another device has changed the keys', async () => {
    const a = await start('a');
    await until(() => isIdle(a));
    const newer = (await createVault('another good passphrase')).keys;
    const keys = { ...newer, records: [...newer.records, ...newer.records] };
    const note = noteOf({});
    const name = await nameOf(keys, 'note', note.key);
    const record = (await sealRecord(keys, name, note)) as Uint8Array;
    await server.connect().put(name, record, '', new AbortController().signal);
    await until(() => a.statuses.at(-1)?.state === 'locked');
  });
});
