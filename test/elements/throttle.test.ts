import { Throttle } from '../../packages/elements/src/reading/throttle.js';
import { expect } from '@open-wc/testing';

/** A throttle whose task ends when the test says so. */
function throttled(): { throttle: Throttle; runs: () => number; end: () => Promise<void> } {
  const ends: (() => void)[] = [];
  const throttle = new Throttle(() => new Promise<void>((resolve) => ends.push(resolve)));
  const end = async (): Promise<void> => {
    ends.at(-1)?.();
    await Promise.resolve();
  };
  return { throttle, runs: () => ends.length, end };
}

/**
 * Resolves after two of the intervals in which a throttle runs at most once, by another one: a timer of
 * one may end a moment before the other's.
 */
async function interval(): Promise<void> {
  await new Promise<void>((resolve) => {
    let runs = 0;
    const other = new Throttle(async () => {
      runs += 1;
      if (runs === 3) resolve();
      else other.request();
    });
    other.request();
  });
}

describe('Throttle', () => {
  it('runs at once, and once more for all requests during the interval', async () => {
    const { throttle, runs, end } = throttled();
    throttle.request();
    expect(runs()).to.equal(1);
    await end();
    for (let request = 0; request < 3; request += 1) throttle.request();
    expect(runs()).to.equal(1);
    await interval();
    expect(runs()).to.equal(2);
    await end();
    await interval();
    expect(runs()).to.equal(2);
  });

  it('never runs twice at the same time, and once more after a run that takes long', async () => {
    const { throttle, runs, end } = throttled();
    throttle.request();
    throttle.request();
    await interval();
    expect(runs()).to.equal(1);
    await end();
    expect(runs()).to.equal(2);
  });

  it('forgets what was requested before the interval has passed', async () => {
    const { throttle, runs, end } = throttled();
    throttle.request();
    await end();
    throttle.request();
    throttle.cancel();
    await interval();
    expect(runs()).to.equal(1);
    throttle.request();
    expect(runs()).to.equal(2);
  });

  it('forgets what was requested during a run', async () => {
    const { throttle, runs, end } = throttled();
    throttle.request();
    throttle.request();
    throttle.cancel();
    await end();
    await interval();
    expect(runs()).to.equal(1);
  });

  it('can be asked again right after it was cancelled', async () => {
    const { throttle, runs, end } = throttled();
    throttle.request();
    await end();
    throttle.request();
    throttle.cancel();
    throttle.request();
    await interval();
    expect(runs()).to.equal(2);
  });
});
