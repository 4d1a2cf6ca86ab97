import { expect } from '@open-wc/testing';
import { openStore, type Store } from '@inpage-mcp/store';
import { RemoteError, type Remote } from '@inpage-mcp/sync';
import { readKeyRing, writeKeyRing } from '../../packages/sync/src/keys/key-ring.js';
import { MAX_DEVICE_NAME_LENGTH } from '../../packages/sync/src/keys/payload.js';
import { openSync, type SyncService } from '../../packages/sync/src/service/sync-service.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { MemoryServer } from '../support/sync/memory-remote.js';
import { remoteWith } from './remote-with.js';
import { until } from './until.js';

const PASSPHRASE = 'correct horse battery';
const { signal } = new AbortController();

/** The code with which something fails. */
const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'nothing',
    (error: { code?: string; name: string }) => error.code ?? error.name,
  );

const namesOf = ({ status }: SyncService): string =>
  status.devices
    .map(({ name }) => name)
    .toSorted()
    .join();

/** A tab of a device. */
interface Tab {
  sync: SyncService;
  states: string[];
}

describe('the sync of a device', () => {
  let server: MemoryServer;
  let ends: (() => Promise<void>)[];
  /** Whether the answers to new keys get lost. */
  let isLost: boolean;

  /** A device with its store; `openTab` opens the sync of one of its tabs. */
  const device = async (): Promise<{
    databaseName: string;
    store: Store;
    openTab: (remote?: Remote) => Promise<Tab>;
  }> => {
    const databaseName = freshDatabaseName();
    const store = await openStore(databaseName);
    ends.push(async () => {
      store.close();
      await deleteDatabase(databaseName);
    });
    const openTab = async (remote = server.connect()): Promise<Tab> => {
      const states: string[] = [];
      const sync = await openSync({
        databaseName,
        remote,
        onstatus: ({ state }) => states.push(state),
      });
      ends.push(() => sync.close());
      return { sync, states };
    };
    return { databaseName, store, openTab };
  };
  /** A remote that loses the answers to new keys while `isLost` is set, and perhaps the server with them. */
  const losingKeys = (losesServer: boolean): Remote => {
    const remote = server.connect();
    return remoteWith(remote, {
      put: async (name, ...rest) => {
        const version = await remote.put(name, ...rest);
        if (name !== 'keys' || !isLost) return version;
        server.isDown = losesServer;
        throw new RemoteError('unavailable', 'The answer got lost.');
      },
    });
  };
  const isIdle = ({ sync }: Tab): boolean => sync.status.state === 'idle';

  beforeEach(() => {
    server = new MemoryServer();
    ends = [];
    isLost = false;
  });

  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it('is off until the user joins, and brings what is there to the next device', async () => {
    const [a, b] = [await device(), await device()];
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    const [first, second] = [await a.openTab(), await b.openTab()];
    await until(() => first.sync.status.state === 'off');
    const { recoveryCode } = await first.sync.join({ secret: PASSPHRASE, deviceName: 'Laptop' });
    expect(recoveryCode).to.match(/^[0-9A-Z-]{20,40}$/);
    expect(await second.sync.join({ secret: PASSPHRASE, deviceName: 'Phone' })).to.deep.equal({});
    // A device may be idle before the server has notified it of the other.
    await until(async () => (await b.store.notes.get(id)).text === 'one');
    await until(() => first.sync.status.devices.length === 2);
    const names = first.sync.status.devices.map(({ name }) => name);
    expect(names).to.have.members(['Laptop', 'Phone']);
    // What one writes now, the other shows.
    await b.store.notes.update(id, { text: 'two' });
    await until(async () => (await a.store.notes.get(id)).text === 'two');
  });

  it('is joined with the recovery code, or an invitation that is used once', async () => {
    const [a, b, c, d] = [await device(), await device(), await device(), await device()];
    const first = await a.openTab();
    const { recoveryCode } = await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    const second = await b.openTab();
    await second.sync.join({ secret: recoveryCode!.toLowerCase(), deviceName: 'b' });
    expect(await codeOf(first.sync.invite('not the passphrase'))).to.equal('wrong-secret');
    const code = await first.sync.invite(PASSPHRASE);
    const third = await c.openTab();
    await third.sync.join({ secret: code, deviceName: 'c' });
    const fourth = await d.openTab();
    expect(await codeOf(fourth.sync.join({ secret: code, deviceName: 'd' }))).to.equal(
      'wrong-secret',
    );
    await until(() => [first, second, third].every(isIdle));
    expect(fourth.sync.status.state).to.equal('off');
  });

  it('says why it cannot be joined, and stays off', async () => {
    const [a, b] = [await device(), await device()];
    const first = await a.openTab();
    expect(await codeOf(first.sync.join({ secret: 'too short', deviceName: 'a' }))).to.equal(
      'weak-passphrase',
    );
    server.isDown = true;
    expect(await codeOf(first.sync.join({ secret: PASSPHRASE, deviceName: 'a' }))).to.equal(
      'unavailable',
    );
    expect(first.sync.status.state).to.equal('off');
    server.isDown = false;
    // The answer to the key ring gets lost: it is there all the same.
    server.lostAnswers = 1;
    expect(await codeOf(first.sync.join({ secret: PASSPHRASE, deviceName: 'a' }))).to.equal(
      'unavailable',
    );
    const { recoveryCode } = await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    expect(await codeOf(first.sync.join({ secret: PASSPHRASE, deviceName: 'a' }))).to.equal(
      'conflict',
    );
    const third = await (await device()).openTab();
    await third.sync.join({ secret: recoveryCode!, deviceName: 'c' });
    const second = await b.openTab();
    expect(
      await codeOf(second.sync.join({ secret: 'another passphrase', deviceName: 'b' })),
    ).to.equal('wrong-secret');
    expect(second.sync.status.state).to.equal('off');
  });

  it('keeps pieces for a minute at least', async () => {
    const { databaseName, store } = await device();
    const parts = { databaseName, remote: server.connect(), onstatus: () => undefined };
    for (const keepPiecesMs of [59_999, Number.NaN]) {
      const error = await openSync({ ...parts, keepPiecesMs }).catch((reason: unknown) => reason);
      expect(error).to.be.an.instanceOf(RangeError);
    }
    const sync = await openSync({ ...parts, keepPiecesMs: 60_000 });
    ends.push(() => sync.close());
    await sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await store.files.write('f', new Blob(['old']));
    await until(() => sync.status.state === 'idle' && sync.status.unsynced === 0);
  });

  it('takes a name that the other devices take, and says so of another one', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    for (const deviceName of ['x'.repeat(MAX_DEVICE_NAME_LENGTH + 1), 'two\nlines'])
      expect(
        await codeOf(first.sync.join({ secret: PASSPHRASE, deviceName })),
        deviceName,
      ).to.equal('invalid');
    expect(server.contents.records.size).to.equal(0);
    const longest = 'x'.repeat(MAX_DEVICE_NAME_LENGTH);
    await first.sync.join({ secret: PASSPHRASE, deviceName: longest });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => namesOf(second.sync) === `b,${longest}`);
  });

  it('works in one tab, and in another one when that is gone', async () => {
    const [a, b] = [await device(), await device()];
    const tabs = [await a.openTab(), await a.openTab(), await a.openTab()] as const;
    const other = await b.openTab();
    // A command works in each tab, whichever works.
    await tabs[2].sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await other.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => tabs.every(isIdle) && isIdle(other));
    await tabs[0].sync.close();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
    await tabs[1].sync.close();
    await a.store.notes.update(id, { text: 'two' });
    await until(async () => (await b.store.notes.get(id)).text === 'two');
  });

  it('obeys seven tabs that want different things at once', async () => {
    const a = await device();
    const tabs = await Promise.all(Array.from({ length: 7 }, () => a.openTab()));
    const joined = await Promise.all(
      tabs.map(({ sync }) => codeOf(sync.join({ secret: PASSPHRASE, deviceName: 'a' }))),
    );
    expect(joined.toSorted()).to.deep.equal([
      ...Array.from({ length: 6 }, () => 'conflict'),
      'nothing',
    ]);
    await until(() => tabs.every(isIdle));
    await Promise.all(
      tabs.map(({ sync }, index) => (index % 2 === 0 ? sync.pause() : sync.resume())),
    );
    await tabs[3]!.sync.pause();
    await until(() => tabs.every(({ sync }) => sync.status.state === 'paused'));
    await tabs[4]!.sync.leave();
    await until(() => tabs.every(({ sync }) => sync.status.state === 'off'));
    expect(await codeOf(tabs[0]!.sync.pause())).to.equal('conflict');
  });

  it('pauses, also in a tab that is opened later, and goes on', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => isIdle(first) && isIdle(second));
    await first.sync.pause();
    await until(() => first.sync.status.state === 'paused');
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    const later = await a.openTab();
    await until(() => later.sync.status.state === 'paused');
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await b.store.notes.list()).notes).to.have.length(0);
    await later.sync.resume();
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
  });

  it('removes a device, which can read nothing any more, and locks the others until they know the passphrase', async () => {
    const [a, b, c] = [await device(), await device(), await device()];
    const [first, second, third] = [await a.openTab(), await b.openTab(), await c.openTab()];
    for (const [index, { sync }] of [first, second, third].entries())
      await sync.join({ secret: PASSPHRASE, deviceName: `${index}` });
    await until(() => first.sync.status.devices.length === 3);
    await until(() => [first, second, third].every(isIdle));
    const removed = third.sync.status.device!;
    expect(await codeOf(first.sync.removeDevice(removed, 'not the passphrase'))).to.equal(
      'wrong-secret',
    );
    expect(await first.sync.removeDevice(removed, PASSPHRASE)).to.match(/^[0-9A-Z-]{20,40}$/);
    const removal = [...server.contents.records.values()].find(({ bytes }) => !bytes)!;
    // At once, so that nothing more is written with the key that the removed device has.
    await until(
      () => second.sync.status.state === 'locked' && third.sync.status.state === 'locked',
    );
    expect(first.states).not.to.include('locked');
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(() => isIdle(first));
    expect((await c.store.notes.list()).notes).to.have.length(0);
    expect(await codeOf(second.sync.unlock('not the passphrase'))).to.equal('wrong-secret');
    await second.sync.unlock(PASSPHRASE);
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
    for (const { sync } of [first, second]) await until(() => namesOf(sync) === '0,1');
    await until(() => isIdle(first) && isIdle(second));
    // With the passphrase, a device is no stranger.
    await third.sync.unlock(PASSPHRASE);
    await until(() => isIdle(third) && namesOf(third.sync) === '0,1,2');
    await until(async () => (await c.store.notes.list()).notes.length === 1);
    // A server that has gone back shows the removal once more.
    server.write((contents) => {
      contents.last += 1;
      contents.records.set(removal.name, { ...removal, sequence: contents.last });
    });
    await until(() => Boolean(server.contents.records.get(removal.name)?.bytes));
    for (const tab of [first, second, third])
      await until(() => isIdle(tab) && namesOf(tab.sync) === '0,1,2');
  });

  it('goes on with the new keys also where the server takes nothing when it gets them', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => isIdle(first) && isIdle(second));
    await first.sync.removeDevice('nobody', PASSPHRASE);
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(() => isIdle(first) && second.sync.status.state === 'locked');
    server.isFull = true;
    expect(await codeOf(second.sync.unlock(PASSPHRASE))).to.equal('full');
    server.isFull = false;
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
  });

  for (const isReadAgain of [true, false])
    it(`shows the new recovery code where the answer to the new keys got lost${isReadAgain ? '' : ', and the server with it'}`, async () => {
      const [a, b] = [await device(), await device()];
      const first = await a.openTab(losingKeys(!isReadAgain));
      await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
      await until(() => isIdle(first));
      isLost = true;
      if (!isReadAgain) {
        expect(await codeOf(first.sync.removeDevice('nobody', PASSPHRASE))).to.equal('unavailable');
        server.isDown = isLost = false;
      }
      const code = await first.sync.removeDevice('nobody', PASSPHRASE);
      const second = await b.openTab();
      await second.sync.join({ secret: code, deviceName: 'b' });
      await until(() => isIdle(first) && namesOf(first.sync) === 'a,b');
    });

  it('removes a device with other keys than those that it was unlocked with, while this one is paused', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(losingKeys(true)), await b.openTab()];
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => isIdle(second) && namesOf(first.sync) === 'a,b');
    await first.sync.pause();
    isLost = true;
    expect(await codeOf(first.sync.removeDevice('nobody', PASSPHRASE))).to.equal('unavailable');
    server.isDown = isLost = false;
    // The other device gets the keys, this one does not hear of them.
    await until(() => second.sync.status.state === 'locked');
    await second.sync.unlock(PASSPHRASE);
    await until(() => isIdle(second));
    const removed = second.sync.status.device!;
    expect(await codeOf(first.sync.removeDevice(removed, 'not the passphrase'))).to.equal(
      'wrong-secret',
    );
    await first.sync.removeDevice(removed, PASSPHRASE);
    await until(() => second.sync.status.state === 'locked');
  });

  it('is unlocked where somebody has put keys on the server that nobody can open', async () => {
    const { store, openTab } = await device();
    const tab = await openTab();
    const { recoveryCode } = await tab.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await until(() => isIdle(tab));
    const remote = server.connect();
    const known = (await remote.get('keys', signal))!;
    const ring = await readKeyRing(known.bytes!);
    const random = (size: number): Uint8Array<ArrayBuffer> =>
      crypto.getRandomValues(new Uint8Array(size));
    for (const forged of [
      { ...ring, older: [random(60)] },
      { ...ring, passphrase: random(ring.passphrase.length) },
    ]) {
      const { version } = (await remote.get('keys', signal))!;
      await remote.put('keys', await writeKeyRing(forged), version, signal);
      await until(() => tab.sync.status.state === 'locked');
      expect(await codeOf(tab.sync.unlock('not the passphrase'))).to.equal('wrong-secret');
      if (forged.older.length > 0)
        expect(await codeOf(tab.sync.unlock(recoveryCode!))).to.equal('wrong-secret');
      await tab.sync.unlock(PASSPHRASE);
      await until(() => isIdle(tab));
      expect((await remote.get('keys', signal))!.bytes).to.deep.equal(known.bytes);
    }
    await store.notes.create({ title: 't', text: 'one' });
    await until(() => tab.sync.status.unsynced === 0);
  });

  it('writes everything again where somebody has emptied every record, the keys, too', async () => {
    const [a, b, c] = [await device(), await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    for (const [index, { sync }] of [first, second].entries())
      await sync.join({ secret: PASSPHRASE, deviceName: `${index}` });
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(async () => (await b.store.notes.list()).notes.length === 1);
    await until(() => isIdle(first) && isIdle(second));
    server.write((contents) => {
      for (const [name, record] of contents.records) {
        contents.last += 1;
        const { last: sequence } = contents;
        contents.records.set(name, { ...record, bytes: null, sequence, version: `${sequence}` });
      }
    });
    await until(() => Boolean(server.contents.records.get('keys')?.bytes));
    first.sync.syncNow();
    const third = await c.openTab();
    await third.sync.join({ secret: PASSPHRASE, deviceName: '2' });
    await until(async () => (await c.store.notes.list()).notes.some((note) => note.id === id));
    await until(() => [first, second, third].every(isIdle));
  });

  it('stays locked where somebody puts the old keys on the server', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    for (const [index, { sync }] of [first, second].entries())
      await sync.join({ secret: PASSPHRASE, deviceName: `${index}` });
    await until(() => isIdle(first) && isIdle(second));
    const { bytes: old } = server.contents.records.get('keys')!;
    await first.sync.removeDevice('nobody', PASSPHRASE);
    await until(() => second.sync.status.state === 'locked');
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(() => [...server.contents.records.values()].some(({ bytes }) => bytes?.[1] === 2));
    await first.sync.close();
    await second.sync.close();
    server.write((contents) => {
      contents.last += 1;
      const known = contents.records.get('keys')!;
      contents.records.set('keys', { ...known, bytes: old, sequence: contents.last });
    });
    const again = await b.openTab();
    await b.store.notes.create({ title: 't', text: 'not to be read by others' });
    await until(() => again.sync.status.state === 'locked');
    expect(again.sync.status.unsynced).to.equal(1);
    // The device that has changed them puts them back at once.
    const other = await a.openTab();
    await until(() => isIdle(other) && server.contents.records.get('keys')!.bytes !== old);
    await again.sync.unlock(PASSPHRASE);
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
  });

  it('sends the copies of a conflict before it rests, while it is hidden', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    for (const [index, { sync }] of [first, second].entries())
      await sync.join({ secret: PASSPHRASE, deviceName: `${index}` });
    await until(() => isIdle(first) && isIdle(second));
    await second.sync.pause();
    await a.store.files.write('a.txt', new Blob(['one']));
    await b.store.files.write('a.txt', new Blob(['two']));
    await until(() => isIdle(first) && first.sync.status.unsynced === 0);
    second.sync.setVisible(false);
    await second.sync.resume();
    await until(async () => (await a.store.files.list()).files.length === 2);
    expect(second.sync.status.unsynced).to.equal(0);
  });

  it('rests while it is hidden, also with an entry that the server refuses', async () => {
    const { store, openTab } = await device();
    const remote = server.connect();
    let rounds = 0;
    const refusing = remoteWith(remote, {
      state: (signal) => {
        rounds += 1;
        return remote.state(signal);
      },
      put: async (name, bytes, ...rest) => {
        if ((bytes?.length ?? 0) > 2_000) throw new RemoteError('invalid', 'It is too large.');
        return await remote.put(name, bytes, ...rest);
      },
    });
    const tab = await openTab(refusing);
    await tab.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await until(() => isIdle(tab));
    tab.sync.setVisible(false);
    const text = Array.from({ length: 1_000 }, () => crypto.randomUUID()).join('\n');
    await store.notes.create({ title: 't', text });
    await until(() => tab.sync.status.refused['rejected'] === 1 && isIdle(tab));
    const before = rounds;
    // timed: nothing is to come, and nothing comes after it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(rounds).to.be.at.most(before + 4);
    // A change begins a round again.
    const known = server.contents.records.size;
    await store.notes.create({ title: 't', text: 'small' });
    await until(() => server.contents.records.size > known);
  });

  it('shows the new recovery code also where the server fails after the keys have changed', async () => {
    const [a, b, c] = [await device(), await device(), await device()];
    const remote = server.connect();
    let fails = true;
    const first = await a.openTab(
      remoteWith(remote, {
        put: async (name, bytes, ...rest) => {
          if (fails && !bytes) throw new RemoteError('unavailable', 'It went away.');
          return await remote.put(name, bytes, ...rest);
        },
      }),
    );
    const second = await b.openTab();
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await until(() => isIdle(first) && namesOf(first.sync) === 'a,b');
    const removed = second.sync.status.device!;
    const code = await first.sync.removeDevice(removed, PASSPHRASE);
    const third = await c.openTab();
    await third.sync.join({ secret: code, deviceName: 'c' });
    await until(() => isIdle(first) && namesOf(first.sync) === 'a,b,c');
    fails = false;
    await first.sync.removeDevice(removed, PASSPHRASE);
    await until(() => isIdle(first) && namesOf(first.sync) === 'a,c');
  });

  for (const loss of ['lost', 'made anew', 'shown as it was'])
    it(`gives the keys back to a server where they are ${loss}, so that the next device finds the others`, async () => {
      const [a, b] = [await device(), await device()];
      const first = await a.openTab();
      await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
      const { id } = await a.store.notes.create({ title: 't', text: 'one' });
      const former = server.contents.records.get('keys')!;
      await until(() => isIdle(first));
      if (loss === 'lost') server.contents.records.delete('keys');
      else if (loss === 'made anew') server.makeAnew();
      else {
        await first.sync.removeDevice('nobody', PASSPHRASE);
        server.contents.records.set('keys', former);
      }
      await until(() => {
        first.sync.syncNow();
        const keys = server.contents.records.get('keys');
        return keys !== undefined && keys !== former;
      });
      const second = await b.openTab();
      expect(await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' })).to.deep.equal({});
      await until(async () => (await b.store.notes.get(id)).text === 'one');
    });

  it('does not go on with the keys of others', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab(new MemoryServer().connect())];
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    await second.sync.close();
    const { sync } = await b.openTab();
    expect(await codeOf(sync.unlock(PASSPHRASE))).to.equal('outdated');
  });

  it('leaves with everything that is there, and joins again', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    await first.sync.join({ secret: PASSPHRASE, deviceName: 'a' });
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await until(async () => (await b.store.notes.list()).notes.some((note) => note.id === id));
    await second.sync.leave();
    await until(() => second.sync.status.state === 'off');
    await b.store.notes.update(id, { text: 'two' });
    await a.store.notes.delete(id);
    await until(() => isIdle(first) && first.sync.status.unsynced === 0);
    expect((await b.store.notes.get(id)).text).to.equal('two');
    await second.sync.join({ secret: PASSPHRASE, deviceName: 'b' });
    // An edit is worth more than a deletion.
    await until(async () => (await a.store.notes.list()).notes.some((note) => note.id === id));
  });

  it('does nothing where nobody sees it, but send what is written there', async () => {
    const [a, b] = [await device(), await device()];
    const [first, second] = [await a.openTab(), await b.openTab()];
    for (const [tab, deviceName] of [
      [first, 'a'],
      [second, 'b'],
    ] as const)
      await tab.sync.join({ secret: PASSPHRASE, deviceName });
    const works = async ({ databaseName }: typeof a): Promise<boolean> =>
      (await navigator.locks.query()).held!.some(
        ({ name }) => name === `inpage-mcp:${databaseName}:sync`,
      );
    await until(() => isIdle(first) && isIdle(second));
    first.sync.setVisible(false);
    await until(async () => !(await works(a)));
    const { id } = await b.store.notes.create({ title: 't', text: 'one' });
    await until(() => isIdle(second));
    const written = await a.store.notes.create({ title: 't', text: 'two' });
    await until(async () => (await b.store.notes.get(written.id)).text === 'two');
    await until(async () => !(await works(a)));
    // A command is carried out there, too.
    await first.sync.pause();
    await until(() => first.sync.status.state === 'paused');
    await first.sync.resume();
    await until(async () => isIdle(first) && !(await works(a)));
    // Another tab of the device takes the work over, and the first one has it again.
    const other = await a.openTab();
    await until(() => works(a));
    await other.sync.close();
    await until(async () => !(await works(a)));
    first.sync.setVisible(true);
    await until(async () => (await works(a)) && isIdle(first));
    expect((await a.store.notes.get(id)).text).to.equal('one');
  });
});
