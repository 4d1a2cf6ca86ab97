import { expect } from '@open-wc/testing';
import { RemoteError, type Remote } from '@inpage-mcp/sync';
import { compareRecords, MAX_UNKNOWN } from '../../packages/sync/src/engine/compare-records.js';
import { MAX_UNUSABLE } from '../../packages/sync/src/engine/engine.js';
import { MAX_BASE_LENGTH } from '../../packages/sync/src/engine/entries.js';
import { sealRecord } from '../../packages/sync/src/keys/records.js';
import { nameOf } from '../../packages/sync/src/keys/vault-keys.js';
import { putRecords } from '../support/database.js';
import { Device, testKeys, UserUnderTest } from './device-under-test.js';
import { endingAfter } from './ending-after.js';
import { readingFrom, remoteWith } from './remote-with.js';
import { fileOf, noteOf } from './sync-under-test.js';
import { until } from './until.js';

const signal = new AbortController().signal;

/** Longer than the store waits between two reads of its log. */
// timed: the store reads its log so often.
const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('the engine of a sync', () => {
  let user: UserUnderTest;
  let server: UserUnderTest['server'];
  let device: UserUnderTest['device'];

  /** Rounds of all devices until each has what the others had. */
  const settle = async (...all: Device[]): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) for (const one of all) await one.round();
  };
  const two = async (): Promise<[Device, Device]> => [await device('a'), await device('b')];

  beforeEach(() => {
    user = new UserUnderTest();
    ({ server, device } = user);
  });

  afterEach(() => user.close());

  it('brings notes and files to another device, and what happens to them', async () => {
    const [a, b] = await two();
    const note = await a.store.notes.create({ title: 'Trip', text: 'to 東京', tags: ['x'] });
    await a.store.files.write('album/a.txt', new Blob(['sand']), { priority: 0.5 });
    await settle(a, b);
    const { title, tags, createdAt, updatedAt } = await b.store.notes.get(note.id);
    expect({ title, tags, createdAt, updatedAt }).to.deep.equal({
      title: 'Trip',
      tags: ['x'],
      createdAt: note.createdAt,
      updatedAt: note.updatedAt,
    });
    expect(await b.files()).to.deep.equal({ 'album/a.txt': 'sand' });
    expect((await b.store.files.get('album/a.txt')).priority).to.equal(0.5);

    await b.store.notes.update(note.id, { text: 'to 大阪' });
    await b.store.files.move('album/a.txt', 'b.txt');
    await settle(b, a);
    expect(await a.texts()).to.deep.equal({ [note.id]: 'to 大阪' });
    expect(await a.files()).to.deep.equal({ 'b.txt': 'sand' });

    await a.store.notes.delete(note.id);
    await a.store.files.delete('b.txt');
    await settle(a, b);
    expect(await b.texts()).to.deep.equal({});
    expect(await b.files()).to.deep.equal({});
  });

  it('says nothing twice: no echo, and nothing that did not change', async () => {
    const [a, b] = await two();
    await a.store.notes.create({ title: 'a', text: 'a' });
    await settle(a, b);
    const { changes } = await server.connect().state(signal);
    await until(() => a.changes.length === 1 && b.changes.length === 1);
    await settle(a, b);
    await aMoment();
    expect((await server.connect().state(signal)).changes).to.equal(changes);
    expect([...a.changes, ...b.changes]).to.have.length(2);
    expect(await b.sync.countUnsynced()).to.equal(0);
  });

  it('writes nothing, and notifies nobody, where a device sends the same again', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 'a', text: 'a' });
    await a.store.files.write('f', new Blob(['f']));
    await settle(a, b);
    // The store hears of what the sync has done a moment later.
    await until(() => b.changes.length === 2);
    await a.sync.forget();
    // A device that does not know what is there: its record has another version, and says the same.
    const name = await nameOf(await testKeys(), 'note', id);
    const remote = server.connect();
    const { version } = (await remote.get(name, signal))!;
    const note = await a.store.notes.get(id);
    const { title, text, tags, createdAt, updatedAt } = note;
    const same = noteOf({ key: id, title, text, tags, createdAt, updatedAt, counter: 9 });
    const record = (await sealRecord(await testKeys(), name, same)) as Uint8Array;
    await remote.put(name, record, version, signal);
    await settle(b, a);
    await aMoment();
    expect(b.changes).to.have.length(2);
    expect((await b.store.notes.get(id)).revision).to.equal(note.revision);
  });

  it('shows a server nothing', async () => {
    const a = await device('a');
    await a.store.notes.create({ title: 'Secret title', text: 'secret text' });
    await a.store.files.write('secret.txt', new Blob(['secret bytes']));
    await a.round();
    const { records, pieces } = server.contents;
    const everything = [...records, ...pieces].map(([name, stored]) => [
      name,
      new TextDecoder('latin1').decode(
        (stored as { bytes?: Uint8Array }).bytes ?? (stored as Uint8Array),
      ),
    ]);
    expect(JSON.stringify(everything)).not.to.match(/secret|Secret/);
    for (const name of records.keys()) expect(name).to.match(/^[\w-]{22}$/);
  });

  it('unites two devices that had entries of their own before they joined', async () => {
    const [a, b] = [new Device('a'), new Device('b')];
    user.devices.push(await a.openAlone(), await b.openAlone());
    const one = await a.store.notes.create({ title: '1', text: 'one' });
    const other = await b.store.notes.create({ title: '2', text: 'two' });
    await b.store.files.write('f', new Blob(['f']));
    await a.open(server.connect());
    await b.open(server.connect());
    await settle(a, b);
    for (const device of [a, b]) {
      expect(await device.texts()).to.deep.equal({ [one.id]: 'one', [other.id]: 'two' });
      expect(await device.files()).to.deep.equal({ f: 'f' });
    }
  });

  it('merges what both have changed, and keeps both where it is the same place', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one\ntwo\nthree\n' });
    await settle(a, b);
    await a.store.notes.update(id, { text: 'ONE\ntwo\nthree\n' });
    await b.store.notes.update(id, { text: 'one\ntwo\nTHREE\n', title: 'T' });
    await settle(a, b);
    expect(await a.texts()).to.deep.equal({ [id]: 'ONE\ntwo\nTHREE\n' });
    expect(await b.texts()).to.deep.equal(await a.texts());
    expect((await a.store.notes.get(id)).title).to.equal('T');
    expect(a.engine.state.conflicts).to.deep.equal([]);

    await a.store.notes.update(id, { text: 'ONE\nfrom a\nTHREE\n' });
    await b.store.notes.update(id, { text: 'ONE\nfrom b\nTHREE\n' });
    await settle(a, b);
    const merged = (await a.texts())[id];
    expect(merged).to.contain('from a').and.contain('from b');
    expect(await b.texts()).to.deep.equal(await a.texts());
    expect([...a.engine.state.conflicts, ...b.engine.state.conflicts]).to.have.length.above(0);
  });

  it('notes a conflict once although the user types while it is merged', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one\ntwo\nthree\n' });
    await settle(a, b);
    await b.store.notes.update(id, { text: 'one\nfrom b\nthree\n' });
    await b.round();
    await a.store.notes.update(id, { text: 'one\nfrom a\nthree\n' });
    const { readAll } = a.sync;
    let reads = 0;
    a.sync.readAll = async (entries) => {
      const stored = await readAll.call(a.sync, entries);
      // Between the reading and the writing, once.
      if ((reads += 1) === 1)
        await a.store.notes.update(id, { text: 'one\nfrom a, and more\nthree\n' });
      return stored;
    };
    await a.round();
    expect(reads).to.be.above(1);
    expect((await a.texts())[id])
      .to.contain('from a, and more')
      .and.contain('from b');
    expect(a.engine.state.conflicts).to.have.length(1);
  });

  it('makes a copy of what is too different, the same on each device', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({
      title: 't',
      text: `${'long '.repeat(MAX_BASE_LENGTH / 4)}!`,
    });
    await settle(a, b);
    await a.store.notes.update(id, { text: 'from a' });
    await b.store.notes.update(id, { text: 'from b' });
    await settle(a, b);
    const texts = await a.texts();
    expect(Object.values(texts).toSorted()).to.deep.equal(['from a', 'from b']);
    expect(await b.texts()).to.deep.equal(texts);
  });

  it('keeps an edit that another device has deleted', async () => {
    const [a, b] = await two();
    const note = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f', new Blob(['one']));
    await settle(a, b);
    await a.store.notes.delete(note.id);
    await a.store.files.delete('f');
    await b.store.notes.update(note.id, { text: 'two' });
    await b.store.files.write('f', new Blob(['two']));
    await settle(a, b);
    for (const one of [a, b]) {
      expect(await one.texts()).to.deep.equal({ [note.id]: 'two' });
      expect(await one.files()).to.deep.equal({ f: 'two' });
    }
  });

  it('keeps both contents of a file that both have written', async () => {
    const [a, b] = await two();
    await a.store.files.write('f.txt', new Blob(['from a']));
    await b.store.files.write('f.txt', new Blob(['from b']));
    await settle(a, b);
    const files = await a.files();
    expect(Object.values(files).toSorted()).to.deep.equal(['from a', 'from b']);
    expect(Object.keys(files)).to.include('f.txt');
    expect(await b.files()).to.deep.equal(files);
  });

  for (const isLater of [true, false])
    it(`keeps both contents where the ${isLater ? 'later' : 'earlier'} one has no digest yet`, async () => {
      const [a, b] = await two();
      const bytes = (device: 'a' | 'b'): Blob => new Blob([contents[device]]);
      const contents = { a: 'from a', b: 'from b, which is longer' };
      if (isLater) await a.store.files.write('f.txt', bytes('a'));
      const { digest: _digest, ...file } = await b.store.files.write('f.txt', bytes('b'));
      // timed: the later one has a later time.
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (!isLater) await a.store.files.write('f.txt', bytes('a'));
      // As an earlier version has stored it.
      await putRecords(b.name, 'files', [file]);
      await settle(a, b);
      const files = await a.files();
      expect(Object.values(files).toSorted()).to.deep.equal(Object.values(contents));
      expect(files['f.txt']).to.equal(isLater ? contents.b : contents.a);
      expect(await b.files()).to.deep.equal(files);
      for (const one of [a, b]) expect(await one.sync.countUnsynced()).to.equal(0);
    });

  it('takes the record of a file that it has already, without a digest', async () => {
    const [a, b] = await two();
    const blob = new Blob(['one']);
    await a.store.files.write('f.txt', blob, { priority: 0.5 });
    const { digest, ...file } = await b.store.files.write('f.txt', blob);
    await putRecords(b.name, 'files', [file]);
    await settle(a, b);
    for (const one of [a, b]) {
      expect(await one.files()).to.deep.equal({ 'f.txt': 'one' });
      const [stored] = (await one.store.files.list()).files;
      expect(stored).to.include({ digest });
      expect(await one.sync.countUnsynced()).to.equal(0);
    }
  });

  it('needs nothing but the next round after an answer was lost', async () => {
    const [a, b] = await two();
    await a.round();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    server.lostAnswers = 1;
    await a.round().then(
      () => expect.fail('no answer was lost'),
      (error: { code: string }) => expect(error.code).to.equal('unavailable'),
    );
    expect(await a.sync.countUnsynced()).to.equal(1);
    await settle(a, b);
    expect(await a.sync.countUnsynced()).to.equal(0);
    expect(await b.texts()).to.deep.equal({ [id]: 'one' });
    expect(a.changes).to.have.length(1);
  });

  it('knows as its own what it has sent when the answer was lost, and contradicts nobody', async () => {
    const [a, b] = await two();
    await a.round();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f.txt', new Blob(['one']));
    await settle(a, b);
    // Each version reaches the server, and no answer the device, which begins again each time.
    for (const text of ['two', 'three', 'four']) {
      await a.store.notes.update(id, { text });
      await a.store.files.write('f.txt', new Blob([text]));
      server.lostAnswers = 2;
      await a.round().catch(() => undefined);
      expect(server.lostAnswers).to.equal(0);
      await a.begin();
    }
    await a.store.notes.update(id, { text: 'five' });
    await a.store.files.delete('f.txt');
    await settle(a, b);
    for (const device of [a, b]) {
      expect(await device.texts()).to.deep.equal({ [id]: 'five' });
      expect(await device.files()).to.deep.equal({});
      expect(device.engine.state.conflicts).to.deep.equal([]);
    }
    // What was acknowledged need not be known any more.
    expect(a.engine.state.sent?.size).to.equal(0);
  });

  it('deletes what it had sent for the first time when the answer was lost', async () => {
    const [a, b] = await two();
    // Its piece is there already: what gets lost are the answers to both records.
    await a.store.files.write('same.txt', new Blob(['one']));
    await settle(a, b);
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f.txt', new Blob(['one']));
    server.lostAnswers = 2;
    await a.round().catch(() => undefined);
    expect(server.lostAnswers).to.equal(0);
    await a.begin();
    await a.store.notes.delete(id);
    await a.store.files.delete('f.txt');
    await settle(a, b);
    for (const device of [a, b]) {
      expect(await device.texts()).to.deep.equal({});
      expect(await device.files()).to.deep.equal({ 'same.txt': 'one' });
      expect(await device.sync.countUnsynced()).to.equal(0);
    }
  });

  it('knows what it had sent after many rounds in which it could write nothing', async () => {
    const [a, b] = await two();
    // Their piece is there already: what gets lost are the answers to the records.
    await a.store.files.write('same.txt', new Blob(['one']));
    await settle(a, b);
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('deleted.txt', new Blob(['one']));
    await a.store.files.write('changed.txt', new Blob(['one']));
    server.lostAnswers = 3;
    await a.round().catch(() => undefined);
    expect(server.lostAnswers).to.equal(0);
    await a.store.notes.delete(id);
    await a.store.files.delete('deleted.txt');
    for (let round = 0; round < 12; round += 1) {
      await a.store.files.write('changed.txt', new Blob([`${round}`]));
      await a.begin(readingFrom(server.connect()));
      await a.round().catch(() => undefined);
    }
    await a.begin(server.connect());
    await settle(a, b);
    for (const device of [a, b]) {
      expect(await device.texts()).to.deep.equal({});
      expect(await device.files()).to.deep.equal({ 'same.txt': 'one', 'changed.txt': '11' });
      expect(device.engine.state.conflicts).to.deep.equal([]);
    }
  });

  it('begins anew with a server that was made anew or has gone back in time, and loses nothing', async () => {
    const [a, b] = await two();
    const first = await a.store.notes.create({ title: '1', text: 'one' });
    await settle(a, b);
    server.backUp();
    const second = await b.store.notes.create({ title: '2', text: 'two' });
    await b.store.notes.delete(first.id);
    await settle(b, a);
    server.rollBack();
    // It may be a node of a cluster that is behind.
    for (const one of [a, b, a, b])
      expect(await one.round().catch(({ code }: { code: string }) => code)).to.equal('unavailable');
    await settle(a, b);
    // What was deleted since the backup may come back, and nothing goes.
    for (const one of [a, b]) expect(await one.texts()).to.include({ [second.id]: 'two' });
    expect(await a.texts()).to.deep.equal(await b.texts());
    server.makeAnew();
    await settle(b, a);
    for (const one of [a, b]) expect(await one.texts()).to.include({ [second.id]: 'two' });
    expect(await a.texts()).to.deep.equal(await b.texts());
    const c = await device('c');
    await settle(c, a, b);
    expect(await c.texts()).to.deep.equal(await a.texts());
  });

  it('notices within a day a server that has gone back in time and was written to since', async () => {
    const [a, b] = await two();
    const changed = await a.store.notes.create({ title: '1', text: 'one' });
    await settle(a, b);
    server.backUp();
    const added = await b.store.notes.create({ title: '2', text: 'two' });
    await a.store.notes.update(changed.id, { text: 'one and more' });
    await settle(a, b);
    server.rollBack();
    const c = await device('c');
    for (let count = 0; count < 5; count += 1)
      await c.store.notes.create({ title: `${count}`, text: `of c ${count}` });
    await settle(c, a, b);
    // It knows more changes than before: nobody can see it from them.
    expect(await c.texts()).not.to.have.property(added.id);
    for (const one of [a, b]) one.now += 86_400_000;
    await settle(a, b, c);
    expect(await c.texts()).to.include({ [changed.id]: 'one and more', [added.id]: 'two' });
    expect(await a.texts()).to.deep.equal(await c.texts());
    expect(await b.texts()).to.deep.equal(await c.texts());
    // And then nothing, a day later.
    const { changes } = await server.connect().state(signal);
    for (const one of [a, b, c]) one.now += 86_400_000;
    await settle(a, b, c);
    const devicesSeen = 3;
    expect((await server.connect().state(signal)).changes).to.equal(changes + devicesSeen);
  });

  it('takes what was written where it has read already, before the server went back', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: '1', text: 'one' });
    await settle(a, b);
    server.backUp();
    for (let count = 0; count < 3; count += 1) await a.engine.sayHello(signal);
    await a.round();
    server.rollBack();
    await b.store.notes.update(id, { text: 'two' });
    await b.round();
    for (let count = 0; count < 3; count += 1) await b.engine.sayHello(signal);
    await a.round();
    expect((await a.texts())[id]).to.equal('one');
    a.engine.doubt();
    await a.round();
    expect((await a.texts())[id], 'compared a moment ago').to.equal('one');
    a.now += 599_999;
    await a.round();
    expect((await a.texts())[id], 'not yet').to.equal('one');
    a.now += 1;
    await a.round();
    expect((await a.texts())[id]).to.equal('two');
  });

  it('looks at a thousand records a day that it does not know', async () => {
    const a = await device('a');
    const remote = server.connect();
    const compare = async (): Promise<number> => {
      const found = await compareRecords(
        {
          store: a.sync,
          remote,
          nameOf: async (kind, key) => await nameOf(await testKeys(), kind, key),
          open: () => Promise.resolve(undefined),
          restore: () => Promise.resolve(false),
          takeChanges: () => Promise.resolve(),
        },
        signal,
      );
      return new Set(found).size;
    };
    for (let count = 0; count < MAX_UNKNOWN; count += 1)
      await remote.put(`unknown-${count}`, new Uint8Array(1), '', signal);
    expect(await compare()).to.equal(MAX_UNKNOWN);
    await remote.put('one-more', new Uint8Array(1), '', signal);
    expect(await compare()).to.equal(MAX_UNKNOWN);
  });

  it('does not take for lost what others have written while it compares', async () => {
    const remote = server.connect();
    const [a, b] = [await device('a', remote), await device('b')];
    const { id } = await a.store.notes.create({ title: '1', text: 'one' });
    await a.store.notes.create({ title: '2', text: 'two' });
    await settle(a, b);
    await b.store.notes.update(id, { text: 'one and more' });
    a.now += 86_400_000;
    const listing = remote.list.bind(remote);
    remote.list = async function* (given) {
      await b.round();
      yield* listing(given);
    };
    let isForgotten = false;
    const forget = a.sync.forget.bind(a.sync);
    a.sync.forget = async () => {
      isForgotten = true;
      await forget();
    };
    await settle(a, b);
    expect(isForgotten).to.equal(false);
    expect(await a.texts()).to.include({ [id]: 'one and more' });
  });

  it('sends a file in pieces, and those that are there not again', async () => {
    const [a, b] = await two();
    const bytes = new Uint8Array(3 * 1024 * 1024 + 1).map((_, index) => index % 251);
    await a.store.files.write('large', new Blob([bytes]));
    await settle(a, b);
    expect(server.contents.pieces.size).to.equal(7);
    expect(
      new Uint8Array(await (await b.store.files.read('large')).blob.arrayBuffer()),
    ).to.deep.equal(bytes);
    await b.store.files.move('large', 'moved');
    await settle(b, a);
    expect(server.contents.pieces.size).to.equal(7);
    expect(Object.keys(await a.files())).to.deep.equal(['moved']);
  });

  it('goes on with the other files where one is damaged on the server', async () => {
    const [a, b] = await two();
    await a.store.files.write('1', new Blob(['one']));
    await a.round();
    const [piece] = server.contents.pieces.keys();
    const sealed = server.contents.pieces.get(piece!)!;
    server.contents.pieces.delete(piece!);
    await a.store.files.write('2', new Blob(['two']));
    await a.store.notes.create({ title: 't', text: 'n' });
    await a.round();
    const { refused } = await b.round();
    expect([...refused]).to.deep.equal([['damaged', 1]]);
    expect(await b.files()).to.deep.equal({ 2: 'two' });
    // It is not asked for again in each round, and not forgotten.
    server.contents.pieces.set(piece!, sealed);
    await b.round();
    expect(await b.files()).to.deep.equal({ 2: 'two' });
    b.now += 3_600_000;
    await b.round();
    expect(await b.files()).to.deep.equal({ 1: 'one', 2: 'two' });
  });

  it('merges what a cluster has accepted beside a record', async () => {
    const a = await device('a');
    const keys = await testKeys();
    const { id } = await a.store.notes.create({ title: 't', text: 'one\n' });
    await a.store.files.write('f.txt', new Blob(['one']));
    await a.round();
    const name = await nameOf(keys, 'note', id);
    const note = noteOf({ key: id, title: 't', text: 'one\nand a line of another node\n' });
    const nameOfFile = await nameOf(keys, 'file', 'f.txt');
    // Nobody needs its piece, so it was deleted long ago.
    const file = fileOf({ key: 'f.txt' });
    const rivals = new Map([
      [name, (await sealRecord(keys, name, note)) as Uint8Array],
      [nameOfFile, (await sealRecord(keys, nameOfFile, file)) as Uint8Array],
    ]);
    const remote = server.connect();
    const divided: Remote = Object.create(remote, {
      pieces: { value: remote.pieces },
      since: {
        value: async function* (...args: Parameters<Remote['since']>) {
          for await (const change of remote.since(...args)) {
            const rival = rivals.get(change.name);
            yield rival ? { ...change, rivals: [rival] } : change;
          }
        },
      },
    }) as Remote;
    for (const method of ['state', 'get', 'put', 'list', 'live'] as const)
      Object.assign(divided, { [method]: remote[method].bind(remote) });
    const b = await device('b', divided);
    const { refused } = await b.round();
    expect([...refused]).to.deep.equal([['damaged', 1]]);
    await settle(a);
    for (const one of [a, b])
      expect((await one.texts())[id]).to.equal('one\nand a line of another node\n');
    expect(await b.files()).to.deep.equal({ 'f.txt': 'one' });
  });

  it('merges what a cluster has accepted beside the record that is in its way', async () => {
    const remote = server.connect();
    const [a, b] = [await device('a'), await device('b', remote)];
    const { id } = await a.store.notes.create({ title: 't', text: 'one\n' });
    await settle(a, b);
    const name = await nameOf(await testKeys(), 'note', id);
    const note = noteOf({ key: id, title: 't', text: 'zero\none\ntwo\nthree\n' });
    const rival = (await sealRecord(await testKeys(), name, note)) as Uint8Array;
    await a.store.notes.update(id, { text: 'one\ntwo\n' });
    await a.round();
    await b.store.notes.update(id, { text: 'zero\none\n' });
    // The nodes found each other after it had read the changes.
    await b.begin(
      remoteWith(remote, {
        since: (_position, aborted) => remote.since('1000000', aborted),
        get: async (...args) => {
          const record = await remote.get(...args);
          return record && args[0] === name ? { ...record, rivals: [rival] } : record;
        },
      }),
    );
    await b.round();
    await settle(a);
    for (const one of [a, b]) expect((await one.texts())[id]).to.equal(note.text);
  });

  it('goes on where a server takes no such record', async () => {
    const picky = server.connect();
    const put = picky.put.bind(picky);
    picky.put = async (name, bytes, expected, aborted) => {
      if (bytes && bytes.length > 1_000) throw new RemoteError('invalid', 'It is too large.');
      return await put(name, bytes, expected, aborted);
    };
    const [a, b] = [await device('a', picky), await device('b')];
    const noise = Array.from(crypto.getRandomValues(new Uint32Array(500)), String).join(' ');
    await a.store.notes.create({ title: 'large', text: noise });
    const { id } = await a.store.notes.create({ title: 'small', text: 'small' });
    const { refused } = await a.round();
    expect([...refused]).to.deep.equal([['rejected', 1]]);
    await b.round();
    expect(await b.texts()).to.deep.equal({ [id]: 'small' });
    expect(await a.sync.countUnsynced()).to.equal(1);
  });

  it('sends the others where the browser has lost the bytes of a file', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    for (const path of ['lost', 'there']) await a.store.files.write(path, new Blob([path]));
    const gone: Blob = Object.assign(new Blob(['lost']), {
      slice: () => gone,
      arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
    });
    const readAll = a.sync.readAll.bind(a.sync);
    a.sync.readAll = async (ids) => {
      const entries = await readAll(ids);
      for (const [index, { file }] of entries.entries())
        if (file && ids[index]!.key === 'lost') file.bytes = gone;
      return entries;
    };
    const { refused } = await a.round();
    expect([...refused]).to.deep.equal([['damaged', 1]]);
    await b.round();
    expect(await b.files()).to.deep.equal({ there: 'there' });
    expect((await b.texts())[id]).to.equal('one');
    expect(await a.sync.countUnsynced()).to.equal(1);
    a.sync.readAll = readAll;
    await settle(a, b);
    expect(await b.files()).to.deep.equal({ lost: 'lost', there: 'there' });
  });

  it('takes no older record for a newer one', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    const name = await nameOf(await testKeys(), 'note', id);
    const old = server.contents.records.get(name)!.bytes!;
    await a.store.notes.update(id, { text: 'two' });
    await settle(a, b);
    const remote = server.connect();
    const { version } = (await remote.get(name, signal))!;
    await remote.put(name, old, version, signal);
    const { refused } = await b.round();
    expect([...refused]).to.deep.equal([['replayed', 1]]);
    expect(await b.texts()).to.deep.equal({ [id]: 'two' });
  });

  /** Writes a record in the place of what is there, as a device does that knows nothing of it. */
  const putAnew = async (name: string, record: Uint8Array): Promise<void> => {
    const remote = server.connect();
    await remote.put(name, record, (await remote.get(name, signal))!.version, signal);
  };

  it('counts on where it begins anew, so that others take what it writes', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    server.backUp();
    await settle(a, b);
    for (const text of ['two', 'three']) {
      await a.store.notes.update(id, { text });
      await settle(a, b);
    }
    server.rollBack();
    // Only one notices: until the other looks, there are more changes than before.
    for (let look = 0; look < 2; look += 1) await b.round().catch(() => undefined);
    for (let count = 0; count < 5; count += 1)
      await b.store.notes.create({ title: `${count}`, text: `${count}` });
    await b.round();
    await b.store.notes.update(id, { text: 'four' });
    await b.round();
    const { refused } = await a.round();
    expect([...refused]).to.deep.equal([]);
    expect((await a.texts())[id]).to.equal('four');
  });

  /** One device writes once, the server loses that, and another one writes so often before the first looks. */
  const changeAfterLoss = async (changes: number): Promise<[Device, Device]> => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f', new Blob(['one']));
    await settle(a, b);
    server.backUp();
    await a.store.notes.update(id, { text: 'of a' });
    await a.store.files.write('f', new Blob(['of a']));
    await a.round();
    server.rollBack();
    // So many that nobody sees from their number that it went back.
    const others = Array.from({ length: 4 }, (_, index) => ({ title: 'other', text: `${index}` }));
    await b.store.notes.createAll(others);
    await b.round();
    for (let change = 1; change <= changes; change += 1) {
      await b.store.notes.update(id, { text: `${change} of b` });
      await b.store.files.write('f', new Blob([`${change} of b`]));
      await b.round();
    }
    await settle(b, a);
    return [a, b];
  };

  // The last is eight changes beyond what the first device knows.
  for (const changes of [1, 2, 9])
    it(`loses nothing where a server lost a change, and has ${changes} others in its place`, async () => {
      for (const one of await changeAfterLoss(changes)) {
        expect(Object.values(await one.texts())).to.include.members(['of a', `${changes} of b`]);
        expect(Object.values(await one.files())).to.have.members(['of a', `${changes} of b`]);
      }
    });

  it('takes a version that is nine changes beyond what it knows for one that has come from that', async () => {
    for (const one of await changeAfterLoss(10))
      expect(Object.values(await one.files())).to.deep.equal(['10 of b']);
  });

  it('keeps deleted what was deleted, where the server lost the deletion and others have it', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f', new Blob(['one']));
    await settle(a, b);
    await a.store.notes.delete(id);
    await a.store.files.delete('f');
    await a.round();
    server.makeAnew();
    // It begins anew with what it has, and the other one meets that.
    await b.round();
    await settle(a, b);
    for (const one of [a, b]) {
      expect(await one.texts()).to.deep.equal({});
      expect(await one.files()).to.deep.equal({});
      expect(await one.sync.countUnsynced()).to.equal(0);
    }
  });

  it('knows what it has deleted by a version whose answer got lost', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    server.backUp();
    await a.store.notes.update(id, { text: 'two' });
    server.lostAnswers = 1;
    await a.round().catch(() => undefined);
    await b.round();
    server.rollBack();
    const others = Array.from({ length: 4 }, (_, index) => ({ title: 'other', text: `${index}` }));
    await a.store.notes.createAll(others);
    await a.round();
    await a.store.notes.delete(id);
    await settle(a, b);
    for (const one of [a, b]) expect(Object.values(await one.texts())).to.have.length(4);
  });

  it('deletes what another device has deleted, although it begins anew', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    const changed = await a.store.notes.create({ title: 't', text: 'two' });
    await settle(a, b);
    await a.store.notes.delete(id);
    await a.store.notes.delete(changed.id);
    await a.round();
    await b.store.notes.update(changed.id, { text: 'three' });
    await b.sync.forget();
    await settle(b, a);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({ [changed.id]: 'three' });
  });

  it('brings back what was deleted and is written again as it was', async () => {
    const [a, b] = await two();
    const note = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    await a.store.notes.delete(note.id);
    await settle(a, b);
    await a.store.notes.restore(note);
    await b.sync.forget();
    await settle(a, b);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({ [note.id]: 'one' });
    await b.store.notes.delete(note.id);
    await settle(b, a);
    await a.store.notes.restore(note);
    await a.sync.forget();
    await settle(a, b);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({ [note.id]: 'one' });
  });

  it('makes no copy of an entry that a server which has gone back still has', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    server.makeAnew();
    await b.round();
    await a.store.notes.update(id, { text: 'two' });
    await settle(a, b);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({ [id]: 'two' });
  });

  it('unites what it has changed with an older record in the way, and sends it', async () => {
    const [a, b] = await two();
    const keys = await testKeys();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await a.store.files.write('f', new Blob(['one']));
    await settle(a, b);
    const fileName = await nameOf(keys, 'file', 'f');
    const olderFile = server.contents.records.get(fileName)!.bytes!;
    await a.store.notes.update(id, { text: 'two' });
    await a.store.files.write('f', new Blob(['two']));
    await settle(a, b);
    const noteName = await nameOf(keys, 'note', id);
    const olderNote = await sealRecord(keys, noteName, noteOf({ key: id, text: 'of c' }));
    await putAnew(noteName, olderNote as Uint8Array);
    await putAnew(fileName, olderFile);
    await b.round();
    await b.store.notes.update(id, { text: 'three' });
    await b.store.files.write('f', new Blob(['three']));
    const { refused } = await b.round();
    expect([...refused]).to.deep.equal([]);
    await settle(b, a);
    for (const one of [a, b]) {
      expect(await one.sync.countUnsynced()).to.equal(0);
      expect(Object.values(await one.texts())).to.have.members(['three', 'of c']);
      expect((await one.texts())[id]).to.equal('three');
      // It led to what is there.
      expect(await one.files()).to.deep.equal({ f: 'three' });
    }
  });

  it('unites nothing with an older record that is what its own change began with', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    const keys = await testKeys();
    const name = await nameOf(keys, 'note', id);
    await a.store.notes.update(id, { text: 'two' });
    await settle(a, b);
    const { title, text, tags, createdAt, updatedAt } = await a.store.notes.get(id);
    const same = noteOf({ key: id, title, text, tags, createdAt, updatedAt, counter: 1 });
    await putAnew(name, (await sealRecord(keys, name, same)) as Uint8Array);
    await b.store.notes.update(id, { text: 'three' });
    await settle(b, a);
    for (const one of [a, b]) expect(await one.texts()).to.deep.equal({ [id]: 'three' });
  });

  it('compares no versions of what a server has lost, and does not begin anew each day', async () => {
    const [a, b] = await two();
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    await a.store.notes.delete(id);
    await settle(a, b);
    server.makeAnew();
    await settle(a, b);
    const { changes } = await server.connect().state(signal);
    for (const one of [a, b]) one.now += 86_400_000;
    let forgotten = 0;
    const forget = a.sync.forget.bind(a.sync);
    a.sync.forget = async () => {
      forgotten += 1;
      await forget();
    };
    await settle(a, b);
    expect(forgotten).to.equal(0);
    const devicesSeen = 2;
    expect((await server.connect().state(signal)).changes).to.equal(changes + devicesSeen);
  });

  it('leaves records that it cannot read, and what the store refuses, and takes the others', async () => {
    const [a, b] = await two();
    const keys = await testKeys();
    const remote = server.connect();
    await remote.put('x'.repeat(22), new Uint8Array([1, 1, 2, 3]), '', signal);
    const name = await nameOf(keys, 'note', '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    const hostile = { ...noteOf({ text: 'a' }), tags: ['tag', 'tag'] };
    await remote.put(name, (await sealRecord(keys, name, hostile)) as Uint8Array, '', signal);
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    await settle(a, b);
    expect((await b.texts())[id]).to.equal('one');
    expect(await b.sync.countUnsynced()).to.equal(0);
  });

  it('reports what it cannot open in each round, until it is written again', async () => {
    const a = await device('a');
    const keys = await testKeys();
    const remote = server.connect();
    const { key } = noteOf({});
    const name = await nameOf(keys, 'note', key);
    const ofLaterVersion = new Uint8Array([2, 1, 2, 3]);
    const version = await remote.put(name, ofLaterVersion, '', signal);
    for (let round = 0; round < 3; round += 1)
      expect((await a.round()).refused).to.deep.equal(new Map([['newer', 1]]));
    // Also where the page is opened again.
    await a.begin();
    expect((await a.round()).refused).to.deep.equal(new Map([['newer', 1]]));
    const record = (await sealRecord(keys, name, noteOf({ text: 'one' }))) as Uint8Array;
    await remote.put(name, record, version, signal);
    expect((await a.round()).refused.size).to.equal(0);
    expect(await a.texts()).to.deep.equal({ [key]: 'one' });
  });

  it('reports up to a thousand records that it cannot open', async () => {
    const a = await device('a');
    const remote = server.connect();
    const putMore = async (first: number, count: number): Promise<void> => {
      for (let index = first; index < first + count; index += 1)
        await remote.put(`garbage-${index}`, new Uint8Array(1), '', signal);
    };
    for (const [first, count, reported] of [
      [0, MAX_UNUSABLE - 1, MAX_UNUSABLE - 1],
      [MAX_UNUSABLE - 1, 1, MAX_UNUSABLE],
      [MAX_UNUSABLE, 1, MAX_UNUSABLE],
    ] as const) {
      await putMore(first, count);
      expect((await a.round()).refused).to.deep.equal(new Map([['damaged', reported]]));
    }
  });

  for (const [what, bytes] of [
    ['emptied', null],
    ['damaged', new Uint8Array([1, 1, 2, 3])],
  ] as const)
    it(`writes a record again that was ${what} on the server`, async () => {
      const [a, b] = await two();
      const { id } = await a.store.notes.create({ title: 't', text: 'one' });
      await a.store.files.write('f.txt', new Blob(['file']));
      await settle(a, b);
      const remote = server.connect();
      for (const [kind, key] of [
        ['note', id],
        ['file', 'f.txt'],
      ] as const) {
        const name = await nameOf(await testKeys(), kind, key);
        await remote.put(name, bytes, (await remote.get(name, signal))!.version, signal);
      }
      await settle(a, b);
      a.engine.compareNext();
      await settle(a, b);
      const c = await device('c');
      await settle(c, a, b);
      for (const one of [a, b, c]) {
        expect(await one.texts()).to.deep.equal({ [id]: 'one' });
        expect(await one.files()).to.deep.equal({ 'f.txt': 'file' });
        expect((await one.round()).refused.size).to.equal(0);
      }
    });

  it('takes what others have sent, and sends the rest, where a file has no room', async () => {
    const remote = server.connect();
    const { pieces } = remote;
    let isFull = true;
    const full = remoteWith(remote, {
      pieces: remoteWith(pieces, {
        put: async (...args) => {
          if (isFull) throw new RemoteError('full', 'It is full.');
          await pieces.put(...args);
        },
      }),
    });
    const [a, b] = [await device('a', full), await device('b')];
    await b.store.files.write('of b.txt', new Blob(['b']));
    await b.round();
    await a.store.files.write('of a.txt', new Blob(['a']));
    const { id } = await a.store.notes.create({ title: 't', text: 'one' });
    const failure = await a.round().then(
      () => undefined,
      (error: RemoteError) => error.code,
    );
    expect(failure).to.equal('full');
    expect(await a.files()).to.deep.equal({ 'of a.txt': 'a', 'of b.txt': 'b' });
    await b.round();
    expect(await b.texts()).to.deep.equal({ [id]: 'one' });
    isFull = false;
    await settle(a, b);
    expect(await b.files()).to.deep.equal(await a.files());
  });

  it('sends what it has changed where a hostile device has counted to the end', async () => {
    const [a, b] = await two();
    const keys = await testKeys();
    const counter = Number.MAX_SAFE_INTEGER - 2 ** 40;
    const { key } = noteOf({});
    const name = await nameOf(keys, 'note', key);
    const hostile = noteOf({ text: 'one', counter, id: 'hostile_' });
    const record = (await sealRecord(keys, name, hostile)) as Uint8Array;
    await server.connect().put(name, record, '', signal);
    await settle(a, b);
    for (const [one, text] of [[a, 'two'] as const, [b, 'three'] as const]) {
      await one.store.notes.update(key, { text });
      await settle(a, b);
      for (const each of [a, b]) expect(await each.texts()).to.deep.equal({ [key]: text });
    }
  });

  it('notices each device, and each once', async () => {
    const [a, b] = await two();
    await settle(a, b);
    for (const one of [a, b])
      expect([...one.engine.state.devices.values()].map(({ name }) => name)).to.have.members([
        'a',
        'b',
      ]);
    const { changes } = await server.connect().state(signal);
    await settle(a, b);
    expect((await server.connect().state(signal)).changes).to.equal(changes);
    a.now += 86_400_000;
    await settle(a, b);
    expect((await server.connect().state(signal)).changes).to.equal(changes + 1);
  });

  it('goes on after it was ended at any moment', async () => {
    const [a, b] = await two();
    for (let index = 0; index < 30; index += 1)
      await a.store.notes.create({ title: `${index}`, text: `${index}` });
    await a.store.files.write('f', new Blob(['f'.repeat(1_200_000)]));
    for (const one of [a, b]) {
      for (let calls = 1; ; calls += 1) {
        const controller = new AbortController();
        await one.begin(endingAfter(server.connect(), calls, controller));
        const isDone = await one.round(controller.signal).then(
          () => true,
          () => false,
        );
        if (isDone) break;
      }
    }
    expect(await b.texts()).to.deep.equal(await a.texts());
    expect(Object.keys(await b.texts())).to.have.length(30);
    expect(await b.files()).to.deep.equal(await a.files());
    expect(await a.sync.countUnsynced()).to.equal(0);
  });
});
