import { GUEST_LIMITS, PAGE_LIMITS } from '@inpage-mcp/protocol';
import { expect } from '@esm-bundle/chai';
// Internal to the package, and tested where time can be given.
import { FairShare } from '../../packages/protocol/src/fairness/fair-share.js';
import { MessageQueue, MessageTurns } from '../../packages/protocol/src/fairness/message-turns.js';
import { eventually } from '../support/within.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { arrived } from '../support/arrived.js';

const shareOf = (isGuest: boolean): FairShare =>
  new FairShare({
    limits: isGuest ? GUEST_LIMITS : PAGE_LIMITS,
    isGuest,
    turns: new MessageTurns(),
  });

/** Past its budget: an array counts by its length before it is looked into. */
const TOO_LARGE = Array.from({ length: GUEST_LIMITS.messageNodes + 1 }, () => 1);
const LARGEST = { text: 'x'.repeat(GUEST_LIMITS.messageBytes / 2) };
const SMALL = { text: 'x' };

describe('the share of a holder', () => {
  it('ends with all its connections once too much time was wasted on it', () => {
    const share = shareOf(true);
    const ended: string[] = [];
    share.join(() => ended.push('one'));
    const leave = share.join(() => ended.push('two'));
    share.join(() => ended.push('three'));
    leave();
    share.tookLong(TOO_LARGE, 150);
    share.tookLong(TOO_LARGE, 99);
    // Whatever the machine did in that time: these were not read in vain.
    share.tookLong(LARGEST, 1_000);
    share.tookLong(SMALL, 1_000);
    expect(share.isExpelled).to.equal(false);
    share.tookLong(TOO_LARGE, 10);
    expect(share.isExpelled).to.equal(true);
    expect(ended).to.deep.equal(['one', 'three']);
  });

  it('looks no deeper into what took long than any message may be', () => {
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
    const share = shareOf(true);
    share.tookLong(deep, 10);
    expect(share.isExpelled).to.equal(false);
    // It was read in vain.
    expect(share.messages.mayRead()).to.equal(false);
  });

  it('of a guest rests after a large message that took long', () => {
    const share = shareOf(true);
    share.tookLong(SMALL, 10);
    expect(share.messages.mayRead()).to.equal(true);
    share.tookLong(LARGEST, 10);
    expect(share.messages.mayRead()).to.equal(false);
  });

  it('of the page never ends or rests for what it costs', () => {
    const share = shareOf(false);
    share.tookLong(TOO_LARGE, 1_000_000);
    expect(share.isExpelled).to.equal(false);
    expect(share.messages.mayRead()).to.equal(true);
  });

  it('is kept as long as something would be forgotten with it', () => {
    const idle = shareOf(true);
    expect(idle.isForgettable).to.equal(true);
    const connected = shareOf(true);
    const leave = connected.join(() => undefined);
    expect(connected.isForgettable).to.equal(false);
    leave();
    expect(connected.isForgettable).to.equal(true);
    const busy = shareOf(true);
    // All of them: a single one may be back before the next line runs.
    while (busy.rate.take(performance.now()) === 0);
    expect(busy.isForgettable).to.equal(false);
    const expelled = shareOf(true);
    expelled.tookLong(TOO_LARGE, 1_000);
    expect(expelled.isForgettable).to.equal(false);
  });
});

/** A port with messages that take so long to read, in milliseconds. */
class BusyPort {
  unreadCount: number;
  readonly #queue: MessageQueue;
  readonly #read: () => void;

  constructor(queue: MessageQueue, count: number, read: () => void) {
    this.unreadCount = count;
    this.#queue = queue;
    this.#read = read;
    while (queue.mayRead());
    for (let added = 0; added < count; added += 1) queue.add(this, new MessageEvent('message'));
  }

  dispatch(): void {
    this.unreadCount -= 1;
    this.#read();
  }

  close(): void {
    this.#queue.delete(this);
  }
}

/** Works for so many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the turns of holders', () => {
  const timers = useFakeTimers();
  const MANY = 10;
  let turns: MessageTurns;
  let read: string[];

  beforeEach(() => {
    turns = new MessageTurns();
    read = [];
  });

  it('come one after the other, however many ports one of them has', async () => {
    const [many, one] = [new MessageQueue(turns), new MessageQueue(turns)];
    // Each message is a turn.
    const busy = (queue: MessageQueue, name: string, count: number): BusyPort =>
      new BusyPort(queue, count, () => {
        read.push(name);
        work(5);
      });
    for (let port = 0; port < MANY; port += 1) busy(many, 'many', 2);
    busy(one, 'one', 3);
    await eventually(() => read.length === 2 * MANY + 3);
    expect(read.slice(0, 6)).to.deep.equal(['many', 'one', 'many', 'one', 'many', 'one']);
  });

  it('go round among the ports of a holder', async () => {
    const queue = new MessageQueue(turns);
    const ports = ['a', 'b', 'c'].map((name) => new BusyPort(queue, 2, () => read.push(name)));
    await eventually(() => read.length === 6);
    expect(read).to.deep.equal(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(ports.map(({ unreadCount }) => unreadCount)).to.deep.equal([0, 0, 0]);
    expect(queue.waitingCount).to.equal(0);
  });

  it('are over for a port that is closed in its own', async () => {
    const queue = new MessageQueue(turns);
    const other = new BusyPort(queue, 5, () => read.push('other'));
    const closing = new BusyPort(queue, 5, () => {
      read.push('closing');
      closing.close();
      other.close();
    });
    await eventually(() => read.includes('closing'));
    expect(queue.waitingCount).to.equal(0);
    await new Promise((resolve) => setTimeout(resolve));
    expect(read).to.deep.equal(['other', 'closing']);
  });

  it('do not come while a holder rests, which has others in their place', async () => {
    const [slow, other] = [new MessageQueue(turns), new MessageQueue(turns)];
    const port = new BusyPort(slow, 2, () => {
      read.push('slow');
      slow.restAfter(80);
    });
    const quick = new BusyPort(other, 20, () => {
      read.push('other');
      work(0.1);
    });
    await eventually(() => quick.unreadCount === 0);
    timers.pass(3 * 80 - 1);
    await arrived();
    expect(read).to.deep.equal(['slow', ...Array<string>(20).fill('other')]);
    timers.pass(1);
    await eventually(() => port.unreadCount === 0);
    // Not even what comes.
    expect(slow.mayRead()).to.equal(false);
    timers.pass(3 * 80);
    await eventually(() => slow.mayRead());
  });
});
