import { expect } from '@esm-bundle/chai';
import { backoffMs, MAX_DELAY_MS, pause } from '../../packages/client/src/connection/backoff.js';

describe('the pause before an attempt to connect', () => {
  const { random } = Math;

  afterEach(() => {
    Math.random = random;
  });

  it('is none, then 100 ms, and doubles up to 5 s', () => {
    Math.random = () => 0;
    const delays = Array.from({ length: 9 }, (_, attempts) => backoffMs(attempts));
    expect(delays).to.deep.equal([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(backoffMs(10_000)).to.equal(MAX_DELAY_MS);
  });

  it('is up to a quarter shorter by chance', () => {
    Math.random = () => 0.999_999;
    expect(backoffMs(0)).to.equal(0);
    expect(backoffMs(1)).to.be.within(75, 75.1);
    expect(backoffMs(20)).to.be.within(3_750, 3_751);
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const pausing = pause(3_600_000, controller.signal);
    controller.abort();
    await pausing;
    await pause(3_600_000, controller.signal);
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const observed = Object.assign(signal, {
      addEventListener: (_type: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => listeners.delete(listener),
    }) as AbortSignal;
    const pausing = pause(1, observed);
    expect(listeners.size).to.equal(1);
    await pausing;
    expect(listeners.size).to.equal(0);
  });
});
