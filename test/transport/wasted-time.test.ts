import { expect } from '@esm-bundle/chai';
import { WastedTime } from '@inpage-mcp/transport';

describe('wasted time', () => {
  it('is too much past 250 ms, of which 5 are forgiven in each second', () => {
    const wasted = new WastedTime();
    expect(wasted.isForgiven(1_000)).to.equal(true);
    wasted.add(150, 1_000);
    wasted.add(100, 1_000);
    expect(wasted.isTooMuch(1_000)).to.equal(false);
    wasted.add(5, 1_000);
    expect(wasted.isTooMuch(1_000)).to.equal(true);
    expect(wasted.isTooMuch(1_999)).to.equal(true);
    expect(wasted.isTooMuch(2_000)).to.equal(false);
    expect(wasted.isForgiven(51_999)).to.equal(false);
    expect(wasted.isForgiven(52_000)).to.equal(true);
    // What is forgiven stays so.
    wasted.add(200, 100_000);
    expect(wasted.isTooMuch(100_000)).to.equal(false);
  });

  it('is none for what is quick', () => {
    const wasted = new WastedTime();
    for (let count = 0; count < 1_000; count += 1) wasted.add(4, 1_000);
    expect(wasted.isForgiven(1_000)).to.equal(true);
    wasted.add(4.1, 1_000);
    expect(wasted.isForgiven(1_000)).to.equal(false);
  });
});
