import { expect } from '@open-wc/testing';
import { RemoteError } from '@inpage-mcp/sync';
import { KEEP_PIECES_MS, MAX_UNNEEDED } from '../../packages/sync/src/engine/sweeper.js';
import { sealRecord } from '../../packages/sync/src/keys/records.js';
import { nameOf } from '../../packages/sync/src/keys/vault-keys.js';
import { type Device, testKeys, UserUnderTest } from './device-under-test.js';
import { endingAfter } from './ending-after.js';
import { itInAll } from '../support/it-in-all.js';

const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

describe('pieces of files that no record needs', () => {
  let user: UserUnderTest;
  let server: UserUnderTest['server'];
  let device: UserUnderTest['device'];

  /** Lets days go by, on each of which the devices have a round. */
  const wait = async (days: number, ...all: Device[]): Promise<void> => {
    for (let day = 0; day < days; day += 1)
      for (const one of all) {
        one.now += DAY_MS;
        await one.round();
      }
  };
  const count = (): number => server.contents.pieces.size;
  const write = (one: Device, text: string, path = 'f.txt'): Promise<unknown> =>
    one.store.files.write(path, new Blob([text]));
  /** A device on which a file was changed: the piece of `old` is no longer needed. */
  const changed = async (remote = server.connect()): Promise<Device> => {
    const one = await device('a', remote);
    for (const text of ['old', 'new']) {
      await write(one, text);
      await one.round();
    }
    expect(count()).to.equal(2);
    return one;
  };

  beforeEach(() => {
    user = new UserUnderTest();
    ({ server, device } = user);
  });

  afterEach(() => user.close());

  it('are deleted after 30 days, and no other', async () => {
    const a = await changed();
    const b = await device('b');
    await wait(30, a, b);
    expect(count()).to.equal(2);
    await wait(2, a, b);
    expect(count()).to.equal(1);
    await a.store.files.delete('f.txt');
    await wait(30, a, b);
    expect(count()).to.equal(1);
    await wait(2, a, b);
    expect(count()).to.equal(0);
  });

  itInAll('are those of the packed texts of long notes, too', async () => {
    const a = await device('a');
    const text = Array.from({ length: 60 }, () =>
      Array.from(crypto.getRandomValues(new Uint32Array(5_000)), String).join(' '),
    ).join('\n');
    const { id } = await a.store.notes.create({ title: 'long', text });
    await a.round();
    const pieces = count();
    expect(pieces).to.be.greaterThan(0);
    await wait(40, a);
    expect(count()).to.equal(pieces);
    await a.store.notes.update(id, { text: 'short' });
    await wait(33, a);
    expect(count()).to.equal(0);
  });

  itInAll('stay where a clock is wrong: it adds two days at most', async () => {
    const a = await changed();
    await wait(10, a);
    for (const years of [10, -10, 10]) {
      a.now += years * 365 * DAY_MS;
      await a.round();
    }
    await wait(10, a);
    expect(count()).to.equal(2);
  });

  it('stay while records say nothing, or are of a device that nobody knows', async () => {
    const a = await changed();
    await server.connect().put('garbage', new Uint8Array(300), '', signal);
    await wait(40, a);
    expect(count()).to.equal(2);
    const { version } = (await server.connect().get('garbage', signal))!;
    await server.connect().put('garbage', null, version, signal);
    await wait(1, a);
    expect(count()).to.equal(1);
  });

  itInAll('are found beside more unknown records than are read one by one', async () => {
    const a = await changed();
    const keys = await testKeys();
    for (let index = 0; index < 150; index += 1) {
      const key = `device-${index}`;
      const name = await nameOf(keys, 'device', key);
      const payload = { v: 1, kind: 'device', key, counter: 1, name: key, seenAt: 1 } as const;
      const record = (await sealRecord(keys, name, payload)) as Uint8Array;
      await server.connect().put(name, record, '', signal);
    }
    await wait(32, a);
    expect(count()).to.equal(1);
  });

  it('are not those that files need which a device could not fetch yet', async () => {
    const a = await device('a');
    await write(a, 'needed');
    await a.round();
    const remote = server.connect();
    const b = await device('b', remote);
    const get = remote.pieces.get.bind(remote.pieces);
    remote.pieces.get = () => Promise.resolve(undefined);
    await wait(40, b);
    expect(count()).to.equal(1);
    remote.pieces.get = get;
    await wait(1, b);
    expect(await b.files()).to.deep.equal({ 'f.txt': 'needed' });
  });

  itInAll('begin anew where the server was made anew', async () => {
    const a = await changed();
    await wait(25, a);
    const { pieces } = server.contents;
    server.makeAnew();
    for (const [name, piece] of pieces) server.contents.pieces.set(name, piece);
    await wait(20, a);
    expect(count()).to.equal(2);
    await wait(13, a);
    expect(count()).to.equal(1);
  });

  describe('and that another device needs again', () => {
    it('in the moment of their deletion, are written again, and stay', async () => {
      // One that deletes nothing itself, and knows as long as the other what nobody needs.
      const careful = server.connect();
      careful.pieces.delete = () => Promise.resolve();
      const a = await changed(careful);
      const remote = server.connect();
      const b = await device('b', remote);
      const deleteAll = remote.pieces.delete.bind(remote.pieces);
      let restored = 0;
      remote.pieces.delete = async (...args) => {
        await write(a, 'old', 'restored.txt');
        await a.round();
        restored += 1;
        await deleteAll(...args);
      };
      await wait(33, a, b);
      expect(restored).to.equal(1);
      const c = await device('c');
      await c.round();
      expect(await c.files()).to.deep.equal({ 'f.txt': 'new', 'restored.txt': 'old' });
    });

    it('by one that has not looked before, are written again', async () => {
      await changed();
      const before = new Set(server.contents.pieces.values());
      const b = await device('b');
      await write(b, 'old', 'restored.txt');
      await b.round();
      const again = [...server.contents.pieces.values()].filter((piece) => !before.has(piece));
      expect(again).to.have.length(1);
      await wait(2, b);
      const later = [...server.contents.pieces.values()].filter((piece) => !before.has(piece));
      expect(later).to.deep.equal(again);
    });

    itInAll('are not written again where that was begun a day before', async () => {
      const a = await device('a');
      await a.round();
      const bytes = new Uint8Array(4 * 1024 * 1024).map((_, index) => (index >> 19) + 1);
      await a.store.files.write('large', new Blob([bytes]));
      const controller = new AbortController();
      const ended = endingAfter(server.connect(), 6, controller);
      await a.begin(ended);
      await a.round(controller.signal).catch(() => undefined);
      const begun = [...server.contents.pieces.values()];
      expect(begun.length).to.be.within(1, 7);
      a.now += 2 * DAY_MS;
      await a.begin(server.connect());
      await a.round();
      expect(count()).to.equal(8);
      expect([...server.contents.pieces.values()]).to.include.members(begun);
    });

    it('are written again once, also where that is cut off', async () => {
      const a = await device('a');
      const bytes = new Uint8Array(4 * 1024 * 1024).map((_, index) => (index >> 19) + 1);
      await a.store.files.write('large', new Blob([bytes]));
      await a.round();
      await a.store.files.delete('large');
      await a.round();
      const remote = server.connect();
      const put = remote.pieces.put.bind(remote.pieces);
      const written: string[] = [];
      remote.pieces.put = async (name, ...args) => {
        if (written.length === 4) {
          remote.pieces.put = put;
          throw new RemoteError('unavailable', 'It was cut off.');
        }
        written.push(name);
        await put(name, ...args);
      };
      const b = await device('b', remote);
      await b.store.files.write('restored', new Blob([bytes]));
      expect(await b.round().catch(({ code }: RemoteError) => code)).to.equal('unavailable');
      const begun = written.map((name) => server.contents.pieces.get(name));
      await b.round();
      expect(count()).to.equal(8);
      expect([...server.contents.pieces.values()]).to.include.members(begun);
    });

    itInAll('are looked at again by a device that slept in the middle of a round', async () => {
      const remote = server.connect();
      const a = await device('a', remote);
      const has = remote.pieces.has.bind(remote.pieces);
      remote.pieces.has = async (...args) => {
        const found = await has(...args);
        a.now += KEEP_PIECES_MS / 2 + 1;
        remote.pieces.has = has;
        return found;
      };
      await write(a, 'words');
      const failure = await a.round().catch((error: unknown) => error);
      expect(failure).to.have.property('code', 'unavailable');
      await a.round();
      expect(await a.sync.countUnsynced()).to.equal(0);
    });
  });

  it('stay, and rounds go on, where a device may delete nothing', async () => {
    const remote = server.connect();
    remote.pieces.delete = () => Promise.reject(new RemoteError('unauthorized', 'Not you.'));
    const a = await device('a', remote);
    for (const text of ['old', 'new']) {
      await write(a, text);
      await a.round();
    }
    await wait(40, a);
    expect(count()).to.equal(2);
    await write(a, 'newer');
    await wait(1, a);
    expect(await a.sync.countUnsynced()).to.equal(0);
  });

  itInAll(
    `are watched up to ${MAX_UNNEEDED}; the one past it has its turn after them`,
    async () => {
      const a = await changed();
      for (let index = 1; index < MAX_UNNEEDED; index += 1)
        server.contents.pieces.set(`piece-${index}`, new Uint8Array(1));
      await wait(1, a);
      server.contents.pieces.set('one-more', new Uint8Array(1));
      await wait(32, a);
      expect([...server.contents.pieces.keys()])
        .to.include('one-more')
        .and.to.have.length(2);
      await wait(33, a);
      expect(count()).to.equal(1);
    },
  );

  itInAll('are written again where there are too many to know them all', async () => {
    const a = await changed();
    for (let index = 1; index <= MAX_UNNEEDED; index += 1)
      server.contents.pieces.set(`a-${index}`, new Uint8Array(1));
    await wait(1, a);
    const old = new Set(server.contents.pieces.values());
    await write(a, 'new', 'the same.txt');
    await a.round();
    expect([...server.contents.pieces.values()].filter((piece) => !old.has(piece))).to.have.length(
      1,
    );
  });
});
