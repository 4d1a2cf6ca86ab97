import {
  MAX_NAME_LENGTH,
  MAX_RECORD_BYTES,
  RemoteError,
  type Remote,
  type RemoteChange,
} from '@inpage-mcp/sync';
import { expect } from '@open-wc/testing';
import { sizeOf } from '../support/test-size.js';
import { until } from './until.js';

/** A server, with records that no other test has. */
export interface ContractServer {
  /** The remote of one more device. */
  connect(): Remote;
  /** Deletes the records with all that belongs to them, as an administrator may. */
  makeAnew(): Promise<void>;
  backUp(): Promise<void>;
  rollBack(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A signal that nobody aborts. */
const { signal } = new AbortController();

/** How many changes each of several devices writes at once. */
const CHANGES = 40;
/** More than any adapter asks for at once. */
const MANY = sizeOf({ quick: 120, ci: 1_200, soak: 10_000 });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | null | undefined): string | null | undefined =>
  bytes && new TextDecoder().decode(bytes);

/** The code of the error that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof RemoteError) return error.code;
    throw error;
  }
  return 'no error';
}

/** All that there is. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected = [];
  for await (const value of values) collected.push(value);
  return collected;
}

const names = (changes: { name: string }[]): string[] => changes.map(({ name }) => name);
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `name-${i}`);

/** Lets time limits end a hundred times sooner. */
export async function withShortTimeouts(act: () => Promise<void>): Promise<void> {
  const original = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (timeMs) => original(timeMs / 100);
  try {
    await act();
  } finally {
    AbortSignal.timeout = original;
  }
}

/** The tests of all that a {@link Remote} promises. */
export function remoteContract(open: () => Promise<ContractServer>): void {
  let server: ContractServer;
  let remote: Remote;

  beforeEach(async () => {
    server = await open();
    remote = server.connect();
    await remote.state(signal);
  });

  async function write(name: string, text: string, expected = ''): Promise<string> {
    return await remote.put(name, bytesOf(text), expected, signal);
  }

  /** A lost connection is noticed late: until then a call is unavailable, which the engine repeats. */
  const isBack = (): Promise<void> =>
    until(async () => (await codeOf(remote.state(signal))) !== 'unavailable');

  describe('writing', () => {
    it('makes a record that others can get', async () => {
      const version = await write('a', 'one');
      const record = await server.connect().get('a', signal);
      expect(record?.version).to.equal(version);
      expect(textOf(record?.bytes)).to.equal('one');
    });

    it('replaces the version that it expects, and no other', async () => {
      const first = await write('a', 'one');
      const second = await write('a', 'two', first);
      expect(second).not.to.equal(first);
      expect(await codeOf(write('a', 'three', first))).to.equal('conflict');
      expect(await codeOf(write('a', 'three'))).to.equal('conflict');
      expect(textOf((await remote.get('a', signal))?.bytes)).to.equal('two');
    });

    it('expects no version where there is none', async () => {
      const version = await write('a', 'one');
      expect(await codeOf(write('b', 'one', version))).to.equal('conflict');
      expect(await codeOf(write('b', 'one', 'no version of anything'))).to.equal('conflict');
      expect(await remote.get('b', signal)).to.equal(undefined);
    });

    it('takes one of twenty writes at once', async () => {
      const first = await write('a', 'one');
      const devices = Array.from({ length: 20 }, () => server.connect());
      const results = await Promise.allSettled(
        devices.map((device, i) => device.put('a', bytesOf(`device ${i}`), first, signal)),
      );
      const winners = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
      expect(winners).to.have.length(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason.code).to.equal('conflict');
      const record = await remote.get('a', signal);
      expect(textOf(record?.bytes)).to.equal(`device ${winners[0]}`);
    });

    it('takes one of two equal writes at once', async () => {
      const first = await write('a', 'one');
      const devices = [server.connect(), server.connect()];
      const codes = await Promise.all(
        devices.map((device) => codeOf(device.put('a', bytesOf('same'), first, signal))),
      );
      expect(codes.toSorted()).to.deep.equal(['conflict', 'no error']);
    });

    it('leaves a mark of what it deletes', async () => {
      const first = await write('a', 'one');
      expect(await codeOf(remote.put('a', null, '', signal))).to.equal('conflict');
      const deleted = await remote.put('a', null, first, signal);
      expect(await remote.get('a', signal)).to.deep.equal({ version: deleted, bytes: null });
      expect(await codeOf(write('a', 'again'))).to.equal('conflict');
      expect(await codeOf(write('a', 'again', first))).to.equal('conflict');
      const again = await write('a', 'again', deleted);
      expect(again).not.to.equal(first);
      expect(textOf((await remote.get('a', signal))?.bytes)).to.equal('again');
    });

    it('has another version each time, also of the same bytes', async () => {
      const versions = [await write('a', 'same')];
      for (let i = 0; i < 3; i += 1) versions.push(await write('a', 'same', versions.at(-1)));
      versions.push(await remote.put('a', null, versions.at(-1) ?? '', signal));
      expect(new Set(versions).size).to.equal(versions.length);
    });

    it('takes no bytes at all for a record', async () => {
      const version = await remote.put('a', new Uint8Array(), '', signal);
      const record = await remote.get('a', signal);
      expect(record).to.deep.equal({ version, bytes: new Uint8Array() });
    });

    it('takes names of up to 64 characters', async () => {
      const longest = `_-${'Ab0-_'.repeat(13)}`.slice(0, MAX_NAME_LENGTH);
      await write(longest, 'one');
      await write(longest.toLowerCase(), 'two');
      expect(textOf((await remote.get(longest, signal))?.bytes)).to.equal('one');
      const changes = await collect(remote.since('', signal));
      expect(names(changes)).to.deep.equal([longest, longest.toLowerCase()]);
      for (const name of [`${longest}a`, '', 'a.b', 'a/b', 'a*', '>', 'é', 'a b'])
        expect(await codeOf(write(name, 'one')), name).to.equal('invalid');
    });

    it('takes records and pieces of up to a megabyte', async () => {
      const bytes = randomBytes(MAX_RECORD_BYTES);
      const version = await remote.put('a', bytes, '', signal);
      await remote.pieces.put('a', bytes, signal);
      const record = await server.connect().get('a', signal);
      expect(record?.version).to.equal(version);
      expect(equal(record?.bytes, bytes)).to.equal(true);
      const [change] = await collect(remote.since('', signal));
      expect(equal(change?.bytes, bytes)).to.equal(true);
      expect(equal(await remote.pieces.get('a', signal), bytes)).to.equal(true);
      const larger = new Uint8Array(MAX_RECORD_BYTES + 1);
      expect(await codeOf(remote.put('b', larger, '', signal))).to.equal('invalid');
      expect(await codeOf(remote.pieces.put('b', larger, signal))).to.equal('invalid');
    });
  });

  describe('getting', () => {
    it('knows nothing of a name that was never written', async () => {
      expect(await remote.get('a', signal)).to.equal(undefined);
    });
  });

  describe('changes', () => {
    it('are none at first', async () => {
      expect(await collect(remote.since('', signal))).to.deep.equal([]);
      const { position } = await remote.state(signal);
      expect(await collect(remote.since(position, signal))).to.deep.equal([]);
    });

    it('come once for each record, in the order of the last ones', async () => {
      const first = await write('a', 'one');
      const deleted = await write('b', 'two');
      await write('c', 'three');
      await write('a', 'four', first);
      const version = await remote.put('b', null, deleted, signal);
      const changes = await collect(remote.since('', signal));
      expect(names(changes)).to.deep.equal(['c', 'a', 'b']);
      expect(changes.map(({ bytes }) => textOf(bytes))).to.deep.equal(['three', 'four', null]);
      expect(changes.at(-1)?.version).to.equal(version);
    });

    it('go on after each position', async () => {
      for (const name of numbered(5)) await write(name, 'one');
      const all = await collect(remote.since('', signal));
      for (const [index, { position }] of all.entries()) {
        const rest = await collect(server.connect().since(position, signal));
        expect(names(rest)).to.deep.equal(names(all.slice(index + 1)));
      }
      const { position } = await remote.state(signal);
      expect(await collect(remote.since(position, signal))).to.deep.equal([]);
      await write('later', 'one');
      expect(names(await collect(remote.since(position, signal)))).to.deep.equal(['later']);
    });

    it('are complete while several devices write', async () => {
      const devices = [server.connect(), server.connect(), server.connect()];
      const state = { isWriting: true };
      const writing = Promise.all(
        devices.map(async (device, d) => {
          let version = '';
          for (let i = 0; i < CHANGES; i += 1) {
            await device.put(`device-${d}-${i}`, bytesOf('one'), '', signal);
            version = await device.put(`device-${d}`, bytesOf(String(i)), version, signal);
          }
        }),
      ).finally(() => (state.isWriting = false));
      const seen = new Map<string, RemoteChange>();
      let position = '';
      const follow = async (): Promise<void> => {
        const changes = await collect(remote.since(position, signal));
        expect(new Set(names(changes)).size).to.equal(changes.length);
        for (const change of changes) seen.set(change.name, change);
        position = changes.at(-1)?.position ?? position;
      };
      while (state.isWriting) await follow();
      await writing;
      await follow();
      expect(seen.size).to.equal(devices.length * (CHANGES + 1));
      for (const name of ['device-0', 'device-1', 'device-2'])
        expect(textOf(seen.get(name)?.bytes)).to.equal(String(CHANGES - 1));
    });

    it('may be many', async () => {
      const written = numbered(MANY);
      for (let start = 0; start < MANY; start += 50)
        await Promise.all(written.slice(start, start + 50).map((name) => write(name, name)));
      const changes = await collect(remote.since('', signal));
      expect(names(changes).toSorted()).to.deep.equal(written.toSorted());
      for (const { name, bytes } of changes) expect(textOf(bytes)).to.equal(name);
      const listed = await collect(remote.list(signal));
      expect(names(listed).toSorted()).to.deep.equal(written.toSorted());
    });

    it('may be left before their end', async () => {
      for (const name of numbered(5)) await write(name, 'one');
      for await (const { name } of remote.since('', signal)) {
        expect(name).to.equal('name-0');
        break;
      }
      expect(await collect(remote.since('', signal))).to.have.length(5);
    });
  });

  it('lists names and versions, also of deleted records, and no pieces', async () => {
    const first = await write('a', 'one');
    const second = await write('b', 'one');
    const deleted = await remote.put('b', null, second, signal);
    await remote.pieces.put('piece', bytesOf('one'), signal);
    const listed = await collect(remote.list(signal));
    expect(listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))).to.deep.equal([
      { name: 'a', version: first },
      { name: 'b', version: deleted },
    ]);
  });

  describe('pieces', () => {
    it('are written once', async () => {
      await remote.pieces.put('a', bytesOf('one'), signal);
      await server.connect().pieces.put('a', bytesOf('two'), signal);
      expect(textOf(await remote.pieces.get('a', signal))).to.equal('one');
      expect(await remote.pieces.get('b', signal)).to.equal(undefined);
    });

    it('are no records', async () => {
      await remote.pieces.put('a', bytesOf('one'), signal);
      expect(await remote.get('a', signal)).to.equal(undefined);
      expect(await collect(remote.since('', signal))).to.deep.equal([]);
    });

    it('can be asked for, deleted, and written again', async () => {
      const written = numbered(70);
      await Promise.all(written.map((name) => remote.pieces.put(name, bytesOf('one'), signal)));
      const asked = [...written, 'other'];
      expect([...(await remote.pieces.has(asked, signal))].toSorted()).to.deep.equal(
        written.toSorted(),
      );
      const unwanted = [...written.slice(1), 'other'].map((name) => ({ name }));
      await remote.pieces.delete(unwanted, signal);
      expect([...(await remote.pieces.has(asked, signal))]).to.deep.equal(['name-0']);
      expect(await remote.pieces.get('name-1', signal)).to.equal(undefined);
      await remote.pieces.put('name-1', bytesOf('two'), signal);
      expect(textOf(await remote.pieces.get('name-1', signal))).to.equal('two');
      expect([...(await remote.pieces.has([], signal))]).to.deep.equal([]);
    });
  });

  describe('versions of pieces', () => {
    const versions = async (): Promise<Record<string, string>> => {
      const pieces = await collect(remote.pieces.list(signal));
      return Object.fromEntries(pieces.map(({ name, version }) => [name, version]));
    };

    it('are listed, and no records', async () => {
      await write('record', 'one');
      expect(await versions()).to.deep.equal({});
      const names = numbered(120);
      await Promise.all(names.map((name) => remote.pieces.put(name, bytesOf('one'), signal)));
      expect(Object.keys(await versions()).toSorted()).to.deep.equal(names.toSorted());
    });

    it('stay where there is a piece, and are others once it is written again', async () => {
      await remote.pieces.put('a', bytesOf('one'), signal, true);
      const first = await versions();
      await remote.pieces.put('a', bytesOf('one'), signal);
      expect(await versions()).to.deep.equal(first);
      await remote.pieces.put('a', bytesOf('one'), signal, true);
      expect((await versions())['a']).not.to.equal(first['a']);
      expect(textOf(await remote.pieces.get('a', signal))).to.equal('one');
    });

    it('say which one is deleted: another one stays', async () => {
      for (const name of ['a', 'b', 'c']) await remote.pieces.put(name, bytesOf('one'), signal);
      const { a = '', b = '', c = '' } = await versions();
      await server.connect().pieces.put('b', bytesOf('one'), signal, true);
      await remote.pieces.delete([{ name: 'c' }], signal);
      await remote.pieces.delete(
        [
          { name: 'a', version: a },
          { name: 'b', version: b },
          { name: 'c', version: c },
        ],
        signal,
      );
      expect(Object.keys(await versions())).to.deep.equal(['b']);
      // One that was deleted meanwhile is there again.
      await remote.pieces.put('a', bytesOf('two'), signal, true);
      expect((await versions())['a']).not.to.equal(a);
      await remote.pieces.delete([{ name: 'a', version: a }], signal);
      expect(textOf(await remote.pieces.get('a', signal))).to.equal('two');
    });

    it('of a piece that another device deletes and writes meanwhile never meet', async () => {
      await remote.pieces.put('a', bytesOf('one'), signal);
      const other = server.connect();
      for (let turn = 0; turn < 10; turn += 1) {
        const { a = '' } = await versions();
        await Promise.all([
          remote.pieces.put('a', bytesOf('one'), signal, true),
          other.pieces.delete([{ name: 'a', version: a }], signal),
        ]);
        expect(textOf(await remote.pieces.get('a', signal))).to.equal('one');
      }
    });
  });

  describe('listening', () => {
    it('notifies of the changes of others, and ends with its signal', async () => {
      const controller = new AbortController();
      const seen = { notices: 0 };
      const ended = remote
        .live(() => (seen.notices += 1), controller.signal)
        .then(
          () => 'an end',
          (error: unknown) => error,
        );
      const other = server.connect();
      // It has no word for that it has begun: the first changes may come before that.
      let version = '';
      for (let i = 0; seen.notices === 0 && i < 100; i += 1) {
        version = await other.put('a', bytesOf(`${i}`), version, signal);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const before = seen.notices;
      await other.put('a', null, version, signal);
      await until(() => seen.notices > before);
      controller.abort(new Error('enough'));
      expect(await ended).to.have.property('message', 'enough');
    });
  });

  describe('an aborted signal', () => {
    it('ends each function with its reason', async () => {
      const reason = new Error('enough');
      const aborted = AbortSignal.abort(reason);
      const calls: Record<string, () => Promise<unknown>> = {
        state: () => remote.state(aborted),
        since: () => collect(remote.since('', aborted)),
        get: () => remote.get('a', aborted),
        put: () => remote.put('a', bytesOf('one'), '', aborted),
        list: () => collect(remote.list(aborted)),
        live: () => remote.live(() => undefined, aborted),
        'pieces.get': () => remote.pieces.get('a', aborted),
        'pieces.put': () => remote.pieces.put('a', bytesOf('one'), aborted),
        'pieces.has': () => remote.pieces.has(['a'], aborted),
        'pieces.delete': () => remote.pieces.delete([{ name: 'a' }], aborted),
      };
      for (const [name, call] of Object.entries(calls)) {
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect(error, name).to.equal(reason);
      }
      expect(await remote.get('a', signal)).to.equal(undefined);
    });

    it('ends changes in the middle', async () => {
      for (const name of numbered(5)) await write(name, 'one');
      const controller = new AbortController();
      const seen: string[] = [];
      const error: unknown = await (async () => {
        for await (const { name } of remote.since('', controller.signal)) {
          seen.push(name);
          controller.abort(new Error('enough'));
        }
      })().catch((thrown: unknown) => thrown);
      // What it has already may still come.
      if (seen.length < 5) expect(error).to.have.property('message', 'enough');
    });
  });

  describe('the state', () => {
    it('is the same for each device', async () => {
      const [one, other] = await Promise.all([
        server.connect().state(signal),
        server.connect().state(signal),
      ]);
      expect(one.epoch).to.equal(other.epoch);
      await write('a', 'one');
      const later = await server.connect().state(signal);
      expect(later.epoch).to.equal(one.epoch);
      expect(later.changes).to.be.greaterThan(one.changes);
    });

    it('has one epoch where several devices are first', async () => {
      await server.makeAnew();
      const devices = Array.from({ length: 5 }, () => server.connect());
      const states = await Promise.all(devices.map((device) => device.state(signal)));
      expect(new Set(states.map(({ epoch }) => epoch)).size).to.equal(1);
    });

    it('has another epoch where the records are made anew', async () => {
      const { epoch } = await remote.state(signal);
      await write('a', 'one');
      await server.makeAnew();
      const state = await remote.state(signal);
      expect(state.epoch).not.to.equal(epoch);
      expect(await collect(remote.since('', signal))).to.deep.equal([]);
    });
  });

  describe('a server', () => {
    it('that goes back in time has seen fewer changes', async () => {
      await write('a', 'one');
      const before = await remote.state(signal);
      await server.backUp();
      await isBack();
      await write('b', 'one');
      await write('c', 'one');
      const { changes, epoch } = await remote.state(signal);
      await server.rollBack();
      await isBack();
      const after = await remote.state(signal);
      expect(after.changes).to.be.lessThan(changes);
      expect(after.changes).to.equal(before.changes);
      expect(after.epoch).to.equal(epoch);
      expect(names(await collect(remote.since('', signal)))).to.deep.equal(['a']);
    });

    it('that goes back in time has another version of another write', async () => {
      const version = await write('a', 'one');
      await server.backUp();
      await isBack();
      const lost = await write('a', 'two', version);
      await server.rollBack();
      await isBack();
      const written = await write('a', 'three', version);
      expect(written).not.to.equal(lost);
      expect((await remote.get('a', signal))?.version).to.equal(written);
      const [listed] = await collect(remote.list(signal));
      expect(listed).to.deep.equal({ name: 'a', version: written });
      const [change] = await collect(remote.since('', signal));
      expect(change?.version).to.equal(written);
    });

    it('that dies is unavailable, and may come back', async () => {
      const version = await write('a', 'one');
      const listening = codeOf(remote.live(() => undefined, signal));
      await remote.state(signal);
      await server.kill();
      const startMs = performance.now();
      expect(await codeOf(remote.state(signal))).to.equal('unavailable');
      expect(await codeOf(remote.get('a', signal))).to.equal('unavailable');
      expect(await codeOf(collect(remote.since('', signal)))).to.equal('unavailable');
      expect(await listening).to.equal('unavailable');
      expect(performance.now() - startMs).to.be.lessThan(30_000);
      await server.start();
      await isBack();
      expect(textOf((await remote.get('a', signal))?.bytes)).to.equal('one');
      // The answer to this write is lost: the device writes again what is already there.
      const second = await write('a', 'two', version);
      await server.kill();
      await server.start();
      await isBack();
      expect(await codeOf(write('a', 'two', version))).to.equal('conflict');
      const record = await remote.get('a', signal);
      expect(record?.version).to.equal(second);
      expect(textOf(record?.bytes)).to.equal('two');
    });
  });
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  // The most that it fills at once.
  for (let start = 0; start < length; start += 65_536)
    crypto.getRandomValues(bytes.subarray(start, start + 65_536));
  return bytes;
}

/** Without the description that chai makes of a megabyte. */
const equal = (one: Uint8Array | null | undefined, other: Uint8Array): boolean =>
  one?.length === other.length && one.every((byte, index) => byte === other[index]);
