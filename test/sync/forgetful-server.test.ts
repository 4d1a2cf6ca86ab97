import { expect } from '@open-wc/testing';
import { RemoteError, type Remote } from '@inpage-mcp/sync';
import { MAX_BASE_LENGTH } from '../../packages/sync/src/engine/entries.js';
import { nameOf } from '../../packages/sync/src/keys/vault-keys.js';
import { type Device, testKeys, UserUnderTest } from './device-under-test.js';
import { readingFrom, remoteWith } from './remote-with.js';
import { itInAll } from '../support/it-in-all.js';

const DAY_MS = 86_400_000;

/** Too long for a base that is kept. */
const LONG = 'long '.repeat(MAX_BASE_LENGTH / 5 + 10);

type Key = [kind: 'note' | 'file', key: string];

describe('a server that loses single records and pieces', () => {
  let user: UserUnderTest;
  let server: UserUnderTest['server'];
  let device: UserUnderTest['device'];

  const settle = async (...all: Device[]): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1)
      for (const one of all) {
        one.engine.compareNext();
        await one.round();
      }
  };
  const two = async (): Promise<[Device, Device]> => [await device('a'), await device('b')];
  const recordName = async (key: Key): Promise<string> => await nameOf(await testKeys(), ...key);
  /** Shows one record as it was at some time, or none. */
  const show = async (key: Key, former?: Awaited<ReturnType<typeof recordOf>>): Promise<void> => {
    const name = await recordName(key);
    if (former) server.contents.records.set(name, former);
    else server.contents.records.delete(name);
  };
  const recordOf = async (key: Key) => server.contents.records.get(await recordName(key))!;

  beforeEach(() => {
    user = new UserUnderTest();
    ({ server, device } = user);
  });

  afterEach(() => user.close());

  it('brings back no long note that was deleted', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: LONG });
    await settle(a, b);
    await a.store.notes.delete(id);
    await a.round();
    await show(['note', id]);
    await settle(b, a);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({});
  });

  for (const what of ['deleted', 'changed'])
    it(`has a long note as its only writer has ${what} it, also where a reader sent it again`, async () => {
      const [a, b] = await two();
      const { id } = await a.store.notes.create({ title: 't', text: `${LONG}one` });
      await settle(a, b);
      const former = await recordOf(['note', id]);
      await a.store.notes.update(id, { text: `${LONG}two` });
      await settle(a, b);
      await show(['note', id], former);
      b.engine.compareNext();
      await b.round();
      if (what === 'deleted') await a.store.notes.delete(id);
      else await a.store.notes.update(id, { text: `${LONG}three` });
      await settle(a, b);
      const texts = what === 'deleted' ? {} : { [id]: `${LONG}three` };
      for (const one of [a, b]) expect(await one.texts()).to.deep.equal(texts);
    });

  /** What two devices have after so many changes of a file, the last its deletion, beyond a version that is lost. */
  const filesAfter = async (changes: number): Promise<Record<string, string>[]> => {
    const [a, b] = await two();
    await a.store.files.write('f.txt', new Blob(['0']));
    await settle(a, b);
    const former = await recordOf(['file', 'f.txt']);
    await a.store.files.write('f.txt', new Blob(['1']));
    await settle(a, b);
    await show(['file', 'f.txt'], former);
    // The round ends once it has compared.
    await b.begin(readingFrom(server.connect()));
    b.engine.compareNext();
    await b.round().catch(() => undefined);
    await b.begin(server.connect());
    for (let change = 1; change < changes; change += 1) {
      await a.store.files.write('f.txt', new Blob([`later ${change}`]));
      await a.round();
    }
    await a.store.files.delete('f.txt');
    await a.round();
    await settle(b, a);
    return [await a.files(), await b.files()];
  };

  itInAll(
    'keeps deleted what changed sixteen times after it lost a version, and no more',
    async () => {
      expect(await filesAfter(16)).to.deep.equal([{}, {}]);
      await user.close();
      user = new UserUnderTest();
      ({ server, device } = user);
      const lost = { 'f.txt': '1' };
      expect(await filesAfter(17)).to.deep.equal([lost, lost]);
    },
  );

  it('is told its own version from that of others where a replica was behind for many rounds', async () => {
    const [a, b] = await two();
    await a.store.files.write('same.txt', new Blob(['one']));
    await a.store.files.write('f.txt', new Blob(['zero']));
    await settle(a, b);
    const behind = server.copy().connect();
    await a.store.files.write('f.txt', new Blob(['one']));
    server.lostAnswers = 1;
    await a.round().catch(() => undefined);
    expect(server.lostAnswers).to.equal(0);
    const live = server.connect();
    const mixed = remoteWith(live, {
      state: (signal) => behind.state(signal),
      since: (position, signal) => behind.since(position, signal),
      list: (signal) => behind.list(signal),
      put: () => Promise.reject(new RemoteError('full', 'There is no room.')),
    });
    for (let round = 0; round < 9; round += 1) {
      await a.store.files.write('f.txt', new Blob([`${round}`]));
      await a.begin(mixed);
      await a.round().catch(() => undefined);
    }
    await a.store.files.delete('f.txt');
    await a.begin(live);
    await settle(a, b);
    for (const one of [a, b]) expect(await one.files()).to.deep.equal({ 'same.txt': 'one' });
  });

  it('gets the pieces again that it has lost, of files and of long notes', async () => {
    const a = await device('a');
    await a.store.files.write('f.txt', new Blob(['one']));
    const words = Array.from({ length: 120 }, () =>
      crypto.getRandomValues(new Uint32Array(4_000)).join(' '),
    );
    const { id } = await a.store.notes.create({ title: 'large', text: words.join('\n') });
    await settle(a);
    expect(server.contents.pieces.size).to.be.above(1);
    server.contents.pieces.clear();
    const b = await device('b');
    for (let day = 0; day < 3; day += 1)
      for (const one of [a, b]) {
        one.now += DAY_MS;
        await one.round();
      }
    expect(await b.files()).to.deep.equal({ 'f.txt': 'one' });
    expect(Object.keys(await b.texts())).to.deep.equal([id]);
    // Nothing is sent again each day.
    const { last } = server.contents;
    a.now += DAY_MS / 2;
    await a.round();
    expect(server.contents.last).to.equal(last);
  });

  for (const what of ['deleted', 'changed'])
    it(`makes nothing of what an entry has come from, where that is beside it: ${what}`, async () => {
      const a = await device('a');
      const { id } = await a.store.notes.create({ title: 't', text: 'zero' });
      await a.store.files.write('same.txt', new Blob(['one']));
      await a.store.files.write('f.txt', new Blob(['zero']));
      await a.round();
      const keys: Key[] = [
        ['note', id],
        ['file', 'f.txt'],
      ];
      const former = await Promise.all(keys.map(recordOf));
      // One node takes these, and their answers get lost; the other one does not know of them.
      await a.store.notes.update(id, { text: 'one' });
      await a.store.files.write('f.txt', new Blob(['one']));
      server.lostAnswers = 2;
      await a.round().catch(() => undefined);
      const rivals = new Map<string, Uint8Array>();
      for (const [index, key] of keys.entries()) {
        rivals.set(await recordName(key), (await recordOf(key)).bytes!);
        await show(key, former[index]);
      }
      await a.begin();
      if (what === 'deleted') {
        await a.store.notes.delete(id);
        await a.store.files.delete('f.txt');
      } else {
        await a.store.notes.update(id, { text: 'two' });
        await a.store.files.write('f.txt', new Blob(['two']));
      }
      await a.round();
      const live = server.connect();
      const since: Remote['since'] = async function* (position, signal) {
        for await (const change of live.since(position, signal)) {
          const rival = rivals.get(change.name);
          yield { ...change, ...(rival && { rivals: [rival] }) };
        }
      };
      const b = await device('b', remoteWith(live, { since }));
      await b.round();
      await settle(a, b);
      const isDeleted = what === 'deleted';
      for (const one of [a, b]) {
        expect(await one.texts()).to.deep.equal(isDeleted ? {} : { [id]: 'two' });
        const files = { 'same.txt': 'one', ...(!isDeleted && { 'f.txt': 'two' }) };
        expect(await one.files()).to.deep.equal(files);
      }
    });
});
