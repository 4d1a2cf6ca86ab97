import { expect } from '@esm-bundle/chai';
// Internal to the package, and tested where time and order can be given.
import { Quota } from '../../packages/protocol/src/fairness/quota.js';
import { throttleReports } from '../../packages/protocol/src/session/throttled-reports.js';
import {
  MAX_HEAVY,
  RequestQueue,
  type QueuedRequest,
} from '../../packages/protocol/src/fairness/request-queue.js';
import { TokenBucket } from '../../packages/protocol/src/fairness/token-bucket.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { arrived } from '../support/arrived.js';

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

describe('a quota', () => {
  it('has an amount for all its parts together, and all of a part back at once', () => {
    const whole = new Quota(100);
    const [one, two] = [whole.part(), whole.part()];
    expect(one.take(60)).to.equal(true);
    expect(two.take(41)).to.equal(false);
    expect(two.take(10)).to.equal(true);
    expect(two.take(30)).to.equal(true);
    expect(one.take(1)).to.equal(false);
    two.release(10);
    expect(one.left).to.equal(10);
    two.clear();
    expect(whole.left).to.equal(40);
    expect(one.take(41)).to.equal(false);
    expect(one.take(40)).to.equal(true);
  });
});

describe('a queue of requests', () => {
  /** A request that notes when it begins. */
  class TestRequest implements QueuedRequest {
    readonly id: number | string;
    readonly connection: object;
    readonly isHeavy: boolean;
    place: QueuedRequest['place'];
    constructor(id: number | string, connection: object, isHeavy = false) {
      this.id = id;
      this.connection = connection;
      this.isHeavy = isHeavy;
    }

    begin(): void {
      begun.push(this.id);
      whenBegun();
    }
  }

  const ONE = {};
  const TWO = {};
  const request = (id: number | string, connection = ONE) => new TestRequest(id, connection);
  const heavy = (id: number) => new TestRequest(id, ONE, true);
  const requests = (...ids: (number | string)[]) => ids.map((id) => request(id));
  let begun: (number | string)[];
  let whenBegun: () => void;
  const queueOf = (
    requestsInFlight: number,
    requestsQueued: number,
    timeoutMs = 30_000,
  ): RequestQueue => new RequestQueue({ requestsInFlight, requestsQueued, timeoutMs });
  const untilBegun = (count: number): Promise<void> =>
    new Promise((resolve) => {
      whenBegun = () => begun.length >= count && resolve();
      whenBegun();
    });

  beforeEach(() => {
    begun = [];
    whenBegun = () => undefined;
  });

  it('begins as many as may be, lets as many wait as may, and has no room for more', async () => {
    const queue = queueOf(2, 3);
    const all = requests(1, 2, 3, 4, 5, 6);
    expect(all.map((one) => queue.add(one))).to.deep.equal([
      ...Array<boolean>(5).fill(true),
      false,
    ]);
    expect(begun).to.deep.equal([1, 2]);
    queue.delete(all[1]!);
    await untilBegun(3);
    expect(begun).to.deep.equal([1, 2, 3]);
    expect(queue.add(request(7))).to.equal(true);
    expect(queue.add(request(8))).to.equal(false);
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

  it('has places for all connections of its holder together', async () => {
    const queue = queueOf(2, 1);
    const others = [request('a', TWO), request('b', TWO)];
    expect(queue.add(request(1))).to.equal(true);
    expect(queue.add(others[0]!)).to.equal(true);
    expect(queue.add(request(2))).to.equal(true);
    expect(queue.add(others[1]!)).to.equal(false);
    expect(begun).to.deep.equal([1, 'a']);
    // One that never came in has no place to leave.
    for (const each of others) queue.delete(each);
    await untilBegun(3);
    expect(begun).to.deep.equal([1, 'a', 2]);
    expect(queue.add(request(3))).to.equal(true);
    expect(queue.add(request(4))).to.equal(false);
    expect(begun).to.have.length(3);
  });

  it('gives each connection of its holder its turn', async () => {
    const queue = queueOf(1, Infinity);
    const all = [...requests(1, 2, 3, 4), request('a', TWO), request('b', TWO)];
    for (const each of all) queue.add(each);
    for (const [count, id] of [1, 2, 'a', 3, 'b'].entries()) {
      queue.delete(all.find((each) => each.id === id)!);
      await untilBegun(count + 2);
    }
    expect(begun).to.deep.equal([1, 2, 'a', 3, 'b', 4]);
  });

  /** Adds as many as may look through everything, whose handlers go on after their answers. */
  const addAnswered = (queue: RequestQueue): (() => void)[] =>
    Array.from({ length: MAX_HEAVY }, () => {
      let finish!: () => void;
      const working = heavy(0);
      queue.add(working);
      void queue.scan(working, () => new Promise<void>((resolve) => (finish = resolve)));
      queue.delete(working);
      return finish;
    });

  it('keeps the place of work that looks through everything and goes on after its answer', async () => {
    for (const timeoutMs of [30_000, Infinity]) {
      const queue = queueOf(64, Infinity, timeoutMs);
      const finish = addAnswered(queue);
      begun = [];
      queue.add(heavy(1));
      queue.add(request('light'));
      await arrived();
      expect(begun).to.deep.equal(['light']);
      finish.pop()!();
      await untilBegun(2);
      expect(begun).to.deep.equal(['light', 1]);
      for (const end of finish) end();
    }
  });

  it('does not wait for ever for work that never ends', async () => {
    const queue = queueOf(64, Infinity, 5);
    addAnswered(queue);
    begun = [];
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
    await queue.scan(all[0]!, () => undefined);
    queue.delete(all[0]!);
    await untilBegun(MAX_HEAVY + 2);
    expect(begun.at(-1)).to.equal(MAX_HEAVY + 1);
  });

  it('gives the few that look through everything no more turns than all others', async () => {
    const queue = queueOf(1, Infinity);
    const first = request(0);
    const waiting = [heavy(1), heavy(2), heavy(3), request('a', TWO), request('b', TWO)];
    for (const each of [first, ...waiting]) queue.add(each);
    queue.delete(first);
    for (const [count, id] of [1, 'a', 2, 'b'].entries()) {
      await untilBegun(count + 2);
      const ended = waiting.find((each) => each.id === id)!;
      if (ended.isHeavy) await queue.scan(ended, () => undefined);
      queue.delete(ended);
    }
    await untilBegun(6);
    expect(begun).to.deep.equal([0, 1, 'a', 2, 'b', 3]);
  });

  it('begins those that waited in tasks of their own, a few in each', async () => {
    const queue = queueOf(1, Infinity);
    const ids = Array.from({ length: 100 }, (_, index) => index);
    let inTask = 0;
    let most = 0;
    class QuickRequest extends TestRequest {
      override begin(): void {
        inTask += 1;
        most = Math.max(most, inTask);
        // Answered at once, as a ping is.
        queueMicrotask(() => queue.delete(this));
        super.begin();
      }
    }
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      inTask = 0;
      port1.postMessage(undefined);
    };
    for (const id of ids) queue.add(new QuickRequest(id, ONE));
    port1.postMessage(undefined);
    await untilBegun(ids.length);
    port1.close();
    expect(begun).to.deep.equal(ids);
    expect(most).to.be.below(40);
  });

  it('begins nothing after all were deleted', async () => {
    const queue = queueOf(1, Infinity);
    const all = requests(1, 2, 3);
    for (const each of all) queue.add(each);
    for (const each of all) queue.delete(each);
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
  const timers = useFakeTimers();

  it('pass one on at once, and then a second’s worth with its count', () => {
    const reported: unknown[] = [];
    const reports = throttleReports((error) => reported.push(error));
    for (const number of [1, 2, 3]) reports.report(new Error(`number ${number}`));
    timers.pass(999);
    expect(reported).to.have.length(1);
    timers.pass(1);
    expect(reported).to.have.length(2);
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
