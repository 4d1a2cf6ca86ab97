import { RemoteError, type Remote, type RemotePieces } from '@inpage-mcp/sync';
import { expect } from '@open-wc/testing';
import { itInAll } from '../support/it-in-all.js';
import { frames } from '../support/within.js';
import { UserUnderTest } from './device-under-test.js';
import { remoteWith } from './remote-with.js';

const FILES = 25;

/** A text that does not fit into a record, because it can hardly be compressed. */
const longText = (): string =>
  Array.from({ length: 60 }, () =>
    Array.from(crypto.getRandomValues(new Uint32Array(5_000)), String).join(' '),
  ).join('\n');

describe('the transfer of pieces', () => {
  let user: UserUnderTest;
  let remote: Remote;
  let running: number;
  let most: number;

  /** A remote of which some functions for pieces are others. */
  const remoteOf = (pieces: Partial<RemotePieces>): Remote =>
    remoteWith(remote, { pieces: remoteWith(remote.pieces, pieces) });

  /** Counts how many calls there are at once, each of which takes as long as it takes to start others. */
  const counted =
    <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      running += 1;
      most = Math.max(most, running);
      await frames(2);
      running -= 1;
      return await call(...args);
    };

  beforeEach(() => {
    user = new UserUnderTest();
    remote = user.server.connect();
    running = 0;
    most = 0;
  });

  afterEach(() => user.close());

  it('sends a few at once, of all files together', async () => {
    const { pieces } = remote;
    const a = await user.device('a', remoteOf({ put: counted(pieces.put.bind(pieces)) }));
    for (let i = 0; i < FILES; i += 1) await a.store.files.write(`${i}`, new Blob([`${i}`]));
    await a.round();
    expect(user.server.contents.pieces.size).to.equal(FILES);
    expect(most).to.be.within(2, 4);
  });

  it('does not try each piece on a server that does not answer', async () => {
    let tries = 0;
    const put = async (): Promise<void> => {
      tries += 1;
      await frames(2);
      throw new RemoteError('unavailable', 'It does not answer.');
    };
    const a = await user.device('a', remoteOf({ put }));
    for (let i = 0; i < FILES; i += 1) await a.store.files.write(`${i}`, new Blob([`${i}`]));
    const error: unknown = await a.round().catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'unavailable');
    expect(tries).to.be.within(1, 4);
  });

  it('takes an empty piece or record for a damaged one, and goes on', async () => {
    await remote.put('x'.repeat(22), new Uint8Array(), '', new AbortController().signal);
    const [a, b] = [await user.device('a'), await user.device('b')];
    await a.store.files.write('1', new Blob(['one']));
    await a.round();
    const { pieces } = user.server.contents;
    for (const name of pieces.keys()) pieces.set(name, new Uint8Array());
    await a.store.files.write('2', new Blob(['two']));
    await a.round();
    expect([...(await b.round()).refused]).to.deep.equal([['damaged', 2]]);
    expect(await b.files()).to.deep.equal({ 2: 'two' });
  });

  itInAll('fetches one long note after the other, because each may be large', async () => {
    const { pieces } = remote;
    const noteOfPiece = new Map<string, number>();
    let note = 0;
    const put: RemotePieces['put'] = async (name, ...args) => {
      noteOfPiece.set(name, note);
      await pieces.put(name, ...args);
    };
    const a = await user.device('a', remoteOf({ put }));
    for (; note < 3; note += 1) {
      await a.store.notes.create({ title: 'long', text: longText() });
      await a.round();
    }
    expect(noteOfPiece).to.have.property('size').that.is.greaterThan(3);
    const fetched = new Map<number, number>();
    const get: RemotePieces['get'] = async (name, ...args) => {
      const one = noteOfPiece.get(name)!;
      fetched.set(one, (fetched.get(one) ?? 0) + 1);
      most = Math.max(most, [...fetched.values()].filter((count) => count > 0).length);
      await frames(2);
      fetched.set(one, fetched.get(one)! - 1);
      return await pieces.get(name, ...args);
    };
    const b = await user.device('b', remoteOf({ get }));
    await b.round();
    expect(await b.texts()).to.deep.equal(await a.texts());
    expect(most).to.equal(1);
  });
});
