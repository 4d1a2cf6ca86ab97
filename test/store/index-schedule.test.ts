import { expect } from '@esm-bundle/chai';
import { StoreError, type StoreErrorCode } from '@inpage-mcp/store';
import { IndexSchedule } from '../../packages/store/src/search/index-schedule.js';

/** A clock of our own: what is to happen when, in milliseconds from the start of the test. */
class Clock {
  now = 0;
  #timers = new Map<number, { at: number; ring: () => void }>();
  #last = 0;

  /** When the next thing happens; undefined where nothing will. */
  get next(): number | undefined {
    const [first] = [...this.#timers.values()].toSorted((a, b) => a.at - b.at);
    return first?.at;
  }

  readonly setTimeout = (ring: () => void, delayMs: number): number => {
    this.#last += 1;
    this.#timers.set(this.#last, { at: this.now + delayMs, ring });
    return this.#last;
  };

  readonly clearTimeout = (timer: number): void => {
    this.#timers.delete(timer);
  };

  /** Has the next thing happen, and all that follows at once. */
  async goOn(): Promise<void> {
    const [timer, first] = [...this.#timers].toSorted(([, a], [, b]) => a.at - b.at)[0]!;
    this.#timers.delete(timer);
    this.now = first.at;
    first.ring();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

describe('when the search index is brought up to date', () => {
  const real = { setTimeout, clearTimeout, now: performance.now.bind(performance) };
  let clock: Clock;
  let runs: number[];
  let outcome: () => Promise<boolean>;
  let schedule: IndexSchedule;

  beforeEach(() => {
    clock = new Clock();
    Object.assign(globalThis, { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout });
    performance.now = () => clock.now;
    runs = [];
    outcome = () => Promise.resolve(true);
    schedule = new IndexSchedule(() => {
      runs.push(clock.now);
      return outcome();
    });
  });

  afterEach(() => {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    performance.now = real.now;
  });

  const failWith = (code: StoreErrorCode): void => {
    outcome = () => Promise.reject(new StoreError(code, 'It failed.'));
  };

  it('is a second after the last change, and then not again', async () => {
    schedule.addChanges(1);
    clock.now = 900;
    schedule.addChanges(1);
    await clock.goOn();
    expect(runs).to.deep.equal([1_900]);
    expect(clock.next).to.equal(undefined);
  });

  it('is half a minute later where another tab is at it', async () => {
    outcome = () => Promise.resolve(false);
    schedule.addChanges(1);
    for (let run = 0; run < 3; run += 1) await clock.goOn();
    expect(runs).to.deep.equal([1_000, 31_000, 61_000]);
  });

  it('is later each time that it fails, an hour at most, until it goes well', async () => {
    failWith('failed');
    schedule.addChanges(1);
    for (let run = 0; run < 10; run += 1) await clock.goOn();
    const pauses = runs.slice(1).map((at, index) => (at - runs[index]!) / 1_000);
    expect(pauses).to.deep.equal([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    outcome = () => Promise.resolve(true);
    await clock.goOn();
    expect(clock.next).to.equal(undefined);
    failWith('failed');
    schedule.addChanges(1);
    await clock.goOn();
    expect(clock.next).to.equal(clock.now + 30_000);
  });

  it('is not before the pause is over, whatever changes', async () => {
    failWith('failed');
    schedule.addChanges(1);
    await clock.goOn();
    clock.now = 5_000;
    schedule.addChanges(1);
    expect(clock.next).to.equal(31_000);
  });

  it('is after a change, and after the pause, where there was no room', async () => {
    failWith('quota-exceeded');
    schedule.addChanges(1);
    await clock.goOn();
    expect(clock.next).to.equal(undefined);
    schedule.addChanges(1);
    expect(clock.next).to.equal(31_000);
    await clock.goOn();
    clock.now = 1_000_000;
    schedule.addChanges(1);
    expect(clock.next).to.equal(1_001_000);
  });

  for (const code of ['closed', 'newer-version'] as const) {
    it(`is never again after ${code}`, async () => {
      failWith(code);
      schedule.addChanges(1);
      await clock.goOn();
      schedule.addChanges(1);
      expect(clock.next).to.equal(undefined);
    });
  }
});
