import { expect } from '@esm-bundle/chai';
// Internal to the package, and tested where time and order can be given.
import { Quota } from '../../packages/protocol/src/fairness/quota.js';
import { throttleReports } from '../../packages/protocol/src/session/throttled-reports.js';
import { HeavyWork } from '../../packages/protocol/src/fairness/heavy-work.js';
import {
  MAX_HEAVY,
  RequestQueue,
  type ConnectionRequests,
  type QueuedRequest,
} from '../../packages/protocol/src/fairness/request-queue.js';
import { TokenBucket } from '../../packages/protocol/src/fairness/token-bucket.js';

describe('a token bucket', () => {
  it('has a burst after a pause, and its rate in the long run', () => {
    const bucket = new TokenBucket(200, 500);
    const take = (count: number, now: number): number =>
      Array.from({ length: count }, () => bucket.take(now)).filter((wait) => wait === 0).length;
    expect(take(500, 1_000)).to.equal(500);
    expect(take(1, 1_000)).to.equal(0);
    expect(take(2, 1_005)).to.equal(1);
    expect(take(1_000, 2_005)).to.equal(200);
    expect(take(1_000, 100_000)).to.equal(500);
  });

  it('returns when to retry', () => {
    const bucket = new TokenBucket(200, 1);
    expect(bucket.take(0)).to.equal(0);
    expect(bucket.take(0)).to.equal(5);
    expect(bucket.take(2)).to.equal(3);
    expect(bucket.take(4.9)).to.equal(1);
    expect(bucket.take(5)).to.equal(0);
  });

  it('counts what it rejects until there is a pause of a second', () => {
    const bucket = new TokenBucket(1, 1);
    bucket.take(10_000);
    for (const now of [10_100, 10_200]) bucket.take(now);
    expect(bucket.rejectedInRow).to.equal(2);
    bucket.take(11_199);
    expect(bucket.rejectedInRow).to.equal(2);
    bucket.take(11_199);
    expect(bucket.rejectedInRow).to.equal(3);
    bucket.take(12_199);
    bucket.take(12_199);
    expect(bucket.rejectedInRow).to.equal(1);
  });

  it('rejects nothing without a limit', () => {
    for (const [rate, burst] of [
      [Infinity, Infinity],
      [1, Infinity],
      [Infinity, 1],
    ] as const) {
      const bucket = new TokenBucket(rate, burst);
      for (let count = 0; count < 1_000; count += 1) expect(bucket.take(0)).to.equal(0);
    }
  });
});

describe('a queue of requests', () => {
  const request = (id: number | string, bytes = 0): QueuedRequest => ({
    id,
    bytes,
    isHeavy: false,
  });
  const heavy = (id: number): QueuedRequest => ({ ...request(id), isHeavy: true });
  const requests = (...ids: (number | string)[]): QueuedRequest[] => ids.map((id) => request(id));
  let begun: (number | string)[];
  let whenBegun: () => void;
  let work: HeavyWork;
  const holderOf = (
    requestsInFlight: number,
    requestsQueued: number,
    keptBytes = Infinity,
  ): RequestQueue =>
    new RequestQueue({ requestsInFlight, requestsQueued }, new Quota(keptBytes), work);
  const connectTo = (holder: RequestQueue): ConnectionRequests =>
    holder.connect(({ id }) => {
      begun.push(id);
      whenBegun();
    });
  const queueOf = (...limits: Parameters<typeof holderOf>): ConnectionRequests =>
    connectTo(holderOf(...limits));
  const untilBegun = (count: number): Promise<void> =>
    new Promise((resolve) => {
      whenBegun = () => begun.length >= count && resolve();
      whenBegun();
    });

  beforeEach(() => {
    begun = [];
    work = new HeavyWork(60_000);
    whenBegun = () => undefined;
  });

  it('begins as many as may be, lets as many wait as may, and has no room for more', async () => {
    const queue = queueOf(2, 3);
    const all = requests(1, 2, 3, 4, 5, 6);
    expect(all.map((one) => queue.add(one))).to.deep.equal([
      ...Array<undefined>(5),
      'requestsQueued',
    ]);
    expect(begun).to.deep.equal([1, 2]);
    queue.delete(all[1]!);
    await untilBegun(3);
    expect(begun).to.deep.equal([1, 2, 3]);
    expect(queue.add(request(7))).to.equal(undefined);
    expect(queue.add(request(8))).to.equal('requestsQueued');
  });

  it('begins the oldest first, and none that was deleted while it waited', async () => {
    const queue = queueOf(1, Infinity);
    const all = requests(1, 2, 3, 4, 5);
    for (const each of all) queue.add(each);
    queue.delete(all[1]!);
    queue.delete(all[3]!);
    // The same id again comes last.
    const again = request(2);
    queue.add(again);
    for (const [count, index] of [0, 2, 4].entries()) {
      queue.delete(all[index]!);
      await untilBegun(count + 2);
    }
    expect(begun).to.deep.equal([1, 3, 5, 2]);
    queue.delete(again);
    queue.add(request(6));
    expect(begun.at(-1)).to.equal(6);
  });

  it('keeps no more than there is room for, waiting or begun, and knows what has left', async () => {
    const queue = queueOf(1, Infinity, 100);
    const [begunFirst, waiting] = [request(1, 20), request(4, 20)];
    expect(queue.add(request(1, 101))).to.equal('keptBytes');
    expect(queue.add(begunFirst)).to.equal(undefined);
    expect(queue.add(request(2, 60))).to.equal(undefined);
    expect(queue.add(request(3, 21))).to.equal('keptBytes');
    expect(queue.add(waiting)).to.equal(undefined);
    expect(queue.add(request(5, 1))).to.equal('keptBytes');
    queue.delete(waiting);
    expect(queue.add(request(6, 20))).to.equal(undefined);
    queue.delete(begunFirst);
    await untilBegun(2);
    expect(queue.add(request(7, 21))).to.equal('keptBytes');
    expect(queue.add(request(7, 20))).to.equal(undefined);
    expect(queue.add(request(8, 1))).to.equal('keptBytes');
  });

  it('has room and places for all connections of its holder together', async () => {
    const holder = holderOf(2, 1, 100);
    const [one, two] = [connectTo(holder), connectTo(holder)];
    one.add(request(1, 60));
    expect(two.keep(41)).to.equal(false);
    expect(two.keep(10)).to.equal(true);
    expect(two.add(request('a', 31))).to.equal('keptBytes');
    expect(two.add(request('a', 10))).to.equal(undefined);
    expect(one.add(request(2, 10))).to.equal(undefined);
    expect(two.add(request('b', 10))).to.equal('requestsQueued');
    expect(begun).to.deep.equal([1, 'a']);
    // What one has leaves with it.
    two.clear();
    await untilBegun(3);
    expect(begun).to.deep.equal([1, 'a', 2]);
    expect(one.keep(31)).to.equal(false);
    expect(one.keep(30)).to.equal(true);
  });

  it('gives each connection of its holder its turn', async () => {
    const holder = holderOf(1, Infinity);
    const [one, two] = [connectTo(holder), connectTo(holder)];
    const all = requests(1, 2, 3, 4, 'a', 'b');
    const connectionOf = ({ id }: QueuedRequest) => (typeof id === 'number' ? one : two);
    for (const each of all) connectionOf(each).add(each);
    for (const [count, id] of [1, 2, 'a', 3, 'b'].entries()) {
      const ended = all.find((each) => each.id === id)!;
      connectionOf(ended).delete(ended);
      await untilBegun(count + 2);
    }
    expect(begun).to.deep.equal([1, 2, 'a', 3, 'b', 4]);
  });

  it('keeps the place of work that looks through everything and goes on after its answer', async () => {
    const queue = queueOf(64, Infinity);
    const finish: (() => void)[] = [];
    const working = Array.from({ length: MAX_HEAVY }, () =>
      work.run(() => new Promise<void>((resolve) => finish.push(resolve))),
    );
    queue.add(heavy(1));
    queue.add(request('light'));
    expect(begun).to.deep.equal(['light']);
    finish.pop()!();
    await untilBegun(2);
    expect(begun).to.deep.equal(['light', 1]);
    for (const end of finish) end();
    await Promise.all(working);
  });

  it('counts work without an end in time for as long as it goes on', async () => {
    const endless = new HeavyWork(Infinity);
    let finish!: () => void;
    const working = endless.run(() => new Promise<void>((resolve) => (finish = resolve)));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(endless.count).to.equal(1);
    finish();
    await working;
    expect(endless.count).to.equal(0);
  });

  it('does not wait for ever for work that never ends', async () => {
    work = new HeavyWork(10);
    const queue = queueOf(64, Infinity);
    for (let count = 0; count < MAX_HEAVY; count += 1) {
      void work.run(() => new Promise(() => undefined));
    }
    queue.add(heavy(1));
    expect(begun).to.deep.equal([]);
    await untilBegun(1);
  });

  it('begins a few of those that look through everything, and lets others pass', async () => {
    const queue = queueOf(64, Infinity);
    const ids = Array.from({ length: MAX_HEAVY + 2 }, (_, index) => index + 1);
    const all = ids.map(heavy);
    for (const each of all) queue.add(each);
    expect(begun).to.deep.equal(ids.slice(0, MAX_HEAVY));
    queue.add(request('light'));
    expect(begun.at(-1)).to.equal('light');
    queue.delete(all[0]!);
    await untilBegun(MAX_HEAVY + 2);
    expect(begun.at(-1)).to.equal(MAX_HEAVY + 1);
  });

  it('begins those that waited in tasks of their own, a few in each', async () => {
    const queue = queueOf(1, Infinity);
    const ids = Array.from({ length: 100 }, (_, index) => index);
    let inTask = 0;
    let most = 0;
    const quick: ConnectionRequests = holderOf(1, Infinity).connect((one) => {
      begun.push(one.id);
      inTask += 1;
      most = Math.max(most, inTask);
      // Answered at once, as a ping is.
      queueMicrotask(() => quick.delete(one));
      whenBegun();
    });
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      inTask = 0;
      port1.postMessage(undefined);
    };
    for (const id of ids) quick.add(request(id));
    port1.postMessage(undefined);
    await untilBegun(ids.length);
    port1.close();
    expect(begun).to.deep.equal(ids);
    expect(most).to.be.below(40);
    queue.clear();
  });

  it('begins nothing after it was cleared', async () => {
    const queue = queueOf(1, Infinity);
    const all = requests(1, 2, 3);
    for (const each of all) queue.add(each);
    queue.delete(all[0]!);
    queue.clear();
    const other = queueOf(1, 1);
    const a = request('a');
    other.add(a);
    other.add(request('b'));
    other.delete(a);
    await untilBegun(3);
    expect(begun).to.deep.equal([1, 'a', 'b']);
  });
});

describe('throttled reports', () => {
  it('pass one on at once, and then a second’s worth with its count', async () => {
    const reported: unknown[] = [];
    const whenTold = new Promise<void>((resolve) => {
      const reports = throttleReports((error) => {
        reported.push(error);
        if (reported.length === 2) resolve();
      });
      for (const number of [1, 2, 3]) reports.report(new Error(`number ${number}`));
    });
    expect(reported).to.have.length(1);
    const start = performance.now();
    await whenTold;
    expect(performance.now() - start).to.be.above(900);
    expect(String(reported[0])).to.equal('Error: number 1');
    expect(String(reported[1])).to.equal('Error: 2 more within a second; the last: number 3');
  });

  it('report the rest when they end', () => {
    const reported: unknown[] = [];
    const reports = throttleReports((error) => reported.push(error));
    reports.report('a');
    reports.end();
    expect(reported).to.have.length(1);
    reports.report('b');
    reports.report('c');
    reports.end();
    expect(reported.map(String)).to.deep.equal([
      'a',
      'b',
      'Error: 1 more within a second; the last: c',
    ]);
  });
});
