import { RemoteError, type Remote } from '@inpage-mcp/sync';
import { digestOf } from '@inpage-mcp/store/sync';
import { expect } from '@open-wc/testing';
import { sealPiece, sealRecord } from '../../packages/sync/src/keys/records.js';
import type { Payload } from '../../packages/sync/src/keys/payload.js';
import { nameOf } from '../../packages/sync/src/keys/vault-keys.js';
import { type Device, testKeys, UserUnderTest } from './device-under-test.js';
import { remoteWith } from './remote-with.js';
import { fileOf, noteOf } from './sync-under-test.js';

const DAY_MS = 86_400_000;
/** The name of the piece of a rival. */
const PIECE = 'r'.repeat(22);
const signal = new AbortController().signal;

const recordOf = async (name: string, payload: Payload): Promise<Uint8Array> =>
  (await sealRecord(await testKeys(), name, payload)) as Uint8Array;

describe('versions that a cluster has accepted beside a record', () => {
  let user: UserUnderTest;
  let rivals: Map<string, Uint8Array>;
  let a: Device;

  /** A remote of a server with rivals, which a write removes if it expects the version with them. */
  function divided(): Remote {
    const remote = user.server.connect();
    const withRival = <Found extends { version: string }>(name: string, record: Found): Found => {
      const rival = rivals.get(name);
      return rival ? { ...record, version: `${record.version},`, rivals: [rival] } : record;
    };
    return remoteWith(remote, {
      async *since(...args) {
        for await (const change of remote.since(...args)) yield withRival(change.name, change);
      },
      async get(name, aborted) {
        const record = await remote.get(name, aborted);
        return record && withRival(name, record);
      },
      async put(name, bytes, expected, aborted) {
        const version = await remote.put(name, bytes, expected.replace(',', ''), aborted);
        if (expected.endsWith(',')) rivals.delete(name);
        return version;
      },
    });
  }

  beforeEach(async () => {
    user = new UserUnderTest();
    rivals = new Map();
    a = await user.device('a');
  });

  afterEach(() => user.close());

  /** A file on the server, with a rival whose piece has not arrived. Resolves with the name of its record. */
  async function writeWithRival(): Promise<string> {
    await a.store.files.write('f.txt', new Blob(['one']));
    await a.round();
    const name = await nameOf(await testKeys(), 'file', 'f.txt');
    const digest = (await digestOf(new Blob(['six'])))!;
    const rival = fileOf({ key: 'f.txt', digest, pieces: [PIECE], updatedAt: a.now });
    rivals.set(name, await recordOf(name, rival));
    return name;
  }

  async function putPiece(): Promise<void> {
    const sealed = await sealPiece(await testKeys(), PIECE, new TextEncoder().encode('six'));
    await user.server.connect().pieces.put(PIECE, sealed, signal);
  }

  it('are kept while one is of a later version of the app, and then merged', async () => {
    const { id } = await a.store.notes.create({ title: 't', text: 'one\n' });
    await a.round();
    const name = await nameOf(await testKeys(), 'note', id);
    const later = noteOf({ key: id, v: 2 });
    rivals.set(name, await recordOf(name, later));
    const b = await user.device('b', divided());
    expect([...(await b.round()).refused]).to.deep.equal([['newer', 1]]);
    expect((await b.texts())[id]).to.equal('one\n');
    // What another device has written beside it is taken.
    await a.store.notes.update(id, { text: 'zero\none\n' });
    await a.round();
    await b.round();
    expect((await b.texts())[id]).to.equal('zero\none\n');
    await b.store.notes.update(id, { text: 'zero\none\ntwo\n' });
    await b.round();
    expect(await b.sync.countUnsynced()).to.equal(1);
    expect([...rivals.keys()]).to.deep.equal([name]);
    const text = 'zero\none\ntwo\nthree\n';
    rivals.set(name, await recordOf(name, noteOf({ key: id, title: 't', text })));
    await b.round();
    expect(rivals.size).to.equal(0);
    await a.round();
    for (const one of [a, b]) expect((await one.texts())[id]).to.equal(text);
  });

  for (const isFetched of [false, true])
    it(`are kept until the pieces are there, ${isFetched ? 'also beside' : 'without'} a file to fetch`, async () => {
      const name = await writeWithRival();
      const b = await user.device('b', divided());
      if (!isFetched) await b.store.files.write('f.txt', new Blob(['one']));
      await b.round();
      await b.store.files.write('f.txt', new Blob(['two']));
      await b.round();
      expect([...rivals.keys()]).to.deep.equal([name]);
      await putPiece();
      await b.round();
      expect(rivals.size).to.equal(0);
      for (const one of [b, a]) await one.round();
      const texts = ['six', 'two'];
      for (const one of [a, b])
        expect(Object.values(await one.files()).toSorted()).to.deep.equal(texts);
    });

  for (const way of ['compares', 'sends'] as const)
    it(`are kept until they are merged, if the device ends while it ${way}`, async () => {
      await writeWithRival();
      const remote = divided();
      const b = await user.device('b', remote);
      await b.round();
      await putPiece();
      // The first time that it fetches the piece, it ends.
      let isCut = true;
      const cut = remoteWith(remote, {
        pieces: remoteWith(remote.pieces, {
          get: async (wanted, aborted) => {
            if (wanted !== PIECE || !isCut) return await remote.pieces.get(wanted, aborted);
            isCut = false;
            throw new RemoteError('unavailable', 'It went away.');
          },
        }),
      });
      await b.begin(cut);
      if (way === 'sends') await b.store.files.write('f.txt', new Blob(['two']));
      else b.engine.compareNext();
      await b.round().catch((error: unknown) => expect(error).to.be.instanceOf(RemoteError));
      expect(isCut).to.equal(false);
      if (way === 'compares') await b.store.files.write('f.txt', new Blob(['two']));
      await b.begin();
      await b.round();
      await b.round();
      expect(rivals.size).to.equal(0);
      expect(Object.values(await b.files()).toSorted()).to.deep.equal(['six', 'two']);
    });

  it('do not let a device write over a file that it has not fetched yet', async () => {
    await a.store.files.write('f.txt', new Blob(['one']));
    await a.round();
    const b = await user.device('b', divided());
    await b.round();
    await a.store.files.write('f.txt', new Blob(['two']));
    await a.round();
    const name = await nameOf(await testKeys(), 'file', 'f.txt');
    const updatedAt = a.now - 31 * DAY_MS;
    rivals.set(name, await recordOf(name, fileOf({ key: 'f.txt', updatedAt })));
    await b.sync.forget();
    await b.begin();
    await b.round();
    const c = await user.device('c');
    await c.round();
    for (const one of [b, c]) expect(Object.values(await one.files())).to.include('two');
  });

  it('do not prevent writes if their pieces were deleted long ago', async () => {
    await a.store.files.write('f.txt', new Blob(['one']));
    await a.round();
    const name = await nameOf(await testKeys(), 'file', 'f.txt');
    const updatedAt = a.now - 31 * DAY_MS;
    rivals.set(name, await recordOf(name, fileOf({ key: 'f.txt', updatedAt })));
    const b = await user.device('b', divided());
    await b.round();
    await b.store.files.write('f.txt', new Blob(['two']));
    await b.round();
    expect(rivals.size).to.equal(0);
    await a.round();
    expect(await a.files()).to.deep.equal({ 'f.txt': 'two' });
  });
});
