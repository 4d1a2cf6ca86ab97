import { expect } from '@esm-bundle/chai';
import { useLinkedServer } from '../support/linked-server.js';
import { MODERN_META, type RawClient } from '../support/raw-client.js';
import { errorOf, resultOf } from '../support/revisions.js';
// Internal to the package.
import { FairScheduler } from '../../packages/server/src/resources/contents/fair-scheduler.js';
import { eventually } from '../support/within.js';

/** What is larger is read one at a time, in bytes. */
const AT_ONCE = 256 * 1024;
const LARGE = 1024 * 1024;

describe('large contents', () => {
  const { arrayBuffer } = Blob.prototype;
  const linked = useLinkedServer();
  let client: RawClient;
  /** The sizes of the large bytes that were read, in their order. */
  let read: number[];
  let atOnce: number;
  let mostAtOnce: number;
  /** What the first of them waits for. */
  let hold: Promise<void>;
  let release: () => void;

  beforeEach(async () => {
    read = [];
    atOnce = 0;
    mostAtOnce = 0;
    hold = new Promise((resolve) => {
      release = resolve;
    });
    client = linked.connectRaw();
    const { files } = linked.server.store;
    await files.write('large.bin', new Blob([new Uint8Array(LARGE)]));
    await files.write('large.txt', new Blob(['x'.repeat(LARGE)]));
    await files.write('at.bin', new Blob([new Uint8Array(AT_ONCE)]));
    await files.write('past.bin', new Blob([new Uint8Array(AT_ONCE + 1)]));
    for (const name of ['a', 'b', 'c', 'd']) {
      await files.write(`folder/${name}.bin`, new Blob([new Uint8Array(AT_ONCE)]));
    }
    Blob.prototype.arrayBuffer = async function readWhole(this: Blob) {
      if (this.size < AT_ONCE) return await arrayBuffer.call(this);
      read.push(this.size);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      if (read.length === 1) await hold;
      const bytes = await arrayBuffer.call(this);
      atOnce -= 1;
      return bytes;
    };
  });

  afterEach(() => {
    Blob.prototype.arrayBuffer = arrayBuffer;
    release();
  });

  const post = (path: string, range?: object): number => {
    const meta = range ? { 'io.github.inpage-mcp/range': range } : {};
    const params = { uri: `file:///${path}`, _meta: { ...MODERN_META, ...meta } };
    return client.post('resources/read', params);
  };
  const hasAnswered = (id: number): boolean =>
    client.received.some((message) => message && !('method' in message) && message.id === id);

  it('of a folder are read one after the other, whatever their size', async () => {
    release();
    resultOf(await client.answerTo(post('folder/')));
    expect(read).to.have.length(4);
    expect(mostAtOnce).to.equal(1);
  });

  it('of guests are read one at a time on all their connections', async () => {
    const [one, two] = [linked.connectRaw({}, 'guest'), linked.connectRaw({}, 'guest')];
    const params = { uri: 'file:///large.bin', _meta: MODERN_META };
    const ids = [one, two].map((guest) => [guest, guest.post('resources/read', params)] as const);
    await eventually(() => read.length === 1);
    await client.modern('resources/templates/list');
    expect(read).to.have.length(1);
    // The page's own do not wait for them.
    const own = post('large.bin');
    await eventually(() => read.length === 2);
    resultOf(await client.answerTo(own));
    release();
    for (const [guest, id] of ids) resultOf(await guest.answerTo(id));
  });

  it('of guests are read in turns: a guest that asks for much keeps nobody waiting', async () => {
    const [much, little] = [linked.connectRaw({}, 'guest'), linked.connectRaw({}, 'guest')];
    const params = (path: string) => ({ uri: `file:///${path}`, _meta: MODERN_META });
    const ids = Array.from({ length: 20 }, () => much.post('resources/read', params('large.bin')));
    await eventually(() => read.length === 1);
    const asked = little.post('resources/read', params('past.bin'));
    await little.modern('resources/templates/list');
    release();
    resultOf(await little.answerTo(asked));
    // Its record is read first, which may take as long as one more content of the other.
    expect(read.indexOf(AT_ONCE + 1)).to.be.within(1, 2);
    for (const id of ids) much.notify('notifications/cancelled', { requestId: id });
  });

  it('are read one at a time on a connection, and a cancelled read leaves the queue', async () => {
    const COUNT = 8;
    const ids = Array.from({ length: COUNT }, (_, index) =>
      post(index % 2 === 0 ? 'large.bin' : 'large.txt'),
    );
    await eventually(() => read.length === 1);
    const [cancelled] = ids.splice(4, 1);
    client.notify('notifications/cancelled', { requestId: cancelled });
    await client.modern('resources/templates/list');
    expect(read).to.have.length(1);
    release();
    for (const id of ids) resultOf(await client.answerTo(id));
    expect(mostAtOnce).to.equal(1);
    expect(read).to.have.length(COUNT - 1);
    expect(hasAnswered(cancelled!)).to.equal(false);
  });

  it('do not wait for one that is given up while it is read any longer than it is', async () => {
    const [first, second] = [post('large.bin'), post('large.txt')];
    await eventually(() => read.length === 1);
    client.notify('notifications/cancelled', { requestId: first });
    await client.modern('resources/templates/list');
    expect(read).to.have.length(1);
    release();
    resultOf(await client.answerTo(second));
    expect(hasAnswered(first)).to.equal(false);
  });

  it('keep neither small ones back nor other connections', async () => {
    const first = post('large.bin');
    await eventually(() => read.length === 1);
    const other = linked.connectRaw();
    resultOf(await other.modern('resources/read', { uri: 'file:///large.bin' }));
    resultOf(await client.answerTo(post('at.bin')));
    const waiting = [
      post('past.bin'),
      post('large.bin', { offset: 0, length: AT_ONCE + 1 }),
      post('large.txt', { offset: 1, length: LARGE }),
    ];
    resultOf(await client.answerTo(post('large.bin', { offset: 1, length: AT_ONCE })));
    expect(waiting.some(hasAnswered)).to.equal(false);
    release();
    for (const id of [first, ...waiting]) resultOf(await client.answerTo(id));
  });

  it('go on after one that cannot be read', async () => {
    const first = post('large.bin');
    await eventually(() => read.length === 1);
    const second = post('large.txt');
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
    release();
    resultOf(await client.answerTo(first));
    expect(errorOf(await client.answerTo(second)).code).to.equal(-32603);
    Blob.prototype.arrayBuffer = arrayBuffer;
    resultOf(await client.answerTo(post('large.txt')));
  });
});

describe('task queues', () => {
  it('take turns, so that a holder does not wait for all tasks of another', async () => {
    const scheduler = new FairScheduler();
    const [many, few] = [scheduler.createQueue(), scheduler.createQueue()];
    const { signal } = new AbortController();
    const done: string[] = [];
    let atOnce = 0;
    const run = (queue: typeof many, name: string) =>
      queue.run(async () => {
        atOnce += 1;
        expect(atOnce).to.equal(1);
        await new Promise((resolve) => setTimeout(resolve));
        atOnce -= 1;
        done.push(name);
      }, signal);
    const ends = ['m1', 'm2', 'm3', 'm4'].map((name) => run(many, name));
    ends.push(run(few, 'f1'), run(few, 'f2'));
    await Promise.all(ends);
    expect(done).to.deep.equal(['m1', 'f1', 'm2', 'f2', 'm3', 'm4']);
  });
});

describe('task queues with a cooldown', () => {
  it('wait after each task, and delay no other queue', async () => {
    const scheduler = new FairScheduler(true);
    const [busy, other] = [scheduler.createQueue(), scheduler.createQueue()];
    const { signal } = new AbortController();
    const begun: [name: string, at: number][] = [];
    const work = (name: string) => async (): Promise<void> => {
      begun.push([name, performance.now()]);
      // timed: a task that takes this at least.
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    const ends = [busy.run(work('busy'), signal), busy.run(work('busy'), signal)];
    await ends[0];
    await other.run(work('other'), signal);
    await Promise.all(ends);
    expect(begun.map(([name]) => name)).to.deep.equal(['busy', 'other', 'busy']);
    expect(begun[2]![1] - begun[0]![1]).to.be.above(30 + 3 * 30 - 2);
  });
});

describe('a task queue', () => {
  it('rejects an aborted task at once with the reason, also if it has begun', async () => {
    const queue = new FairScheduler().createQueue();
    const begun: string[] = [];
    let end!: () => void;
    const work = new Promise<void>((resolve) => {
      end = resolve;
    });
    const run = (name: string, signal: AbortSignal) =>
      queue.run(async () => {
        begun.push(name);
        await work;
        return name;
      }, signal);
    const [one, two, three] = [1, 2, 3].map(() => new AbortController());
    const outcomes = [
      run('one', one!.signal),
      run('two', two!.signal),
      run('three', three!.signal),
    ];
    await eventually(() => begun.length > 0);
    one!.abort(new Error('left'));
    two!.abort(new Error('left'));
    for (const outcome of outcomes.slice(0, 2)) {
      const [{ reason }] = (await Promise.allSettled([outcome])) as [PromiseRejectedResult];
      expect(String(reason)).to.equal('Error: left');
    }
    const late = queue.run(async () => begun.push('never'), AbortSignal.abort(new Error('before')));
    expect(String(await late.catch((error: unknown) => error))).to.equal('Error: before');
    expect(begun).to.deep.equal(['one']);
    end();
    expect(await outcomes[2]).to.equal('three');
    expect(begun).to.deep.equal(['one', 'three']);
  });
});
