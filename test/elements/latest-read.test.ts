import { LatestRead } from '../../packages/elements/src/reading/latest-read.js';
import { expect } from '@open-wc/testing';

/** A read that ends when the test says so. */
function reading(): {
  read: (signal: AbortSignal) => Promise<string>;
  resolve: (value: string) => void;
  reject: (error: unknown) => void;
  signal: () => AbortSignal;
} {
  let resolve!: (value: string) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<string>((...settle) => ([resolve, reject] = settle));
  let given: AbortSignal;
  const read = (signal: AbortSignal): Promise<string> => {
    given = signal;
    return promise;
  };
  return { read, resolve, reject, signal: () => given };
}

describe('LatestRead', () => {
  const setup = (): { latest: LatestRead<string>; changes: unknown[]; values: string[] } => {
    const changes: unknown[] = [];
    const latest: LatestRead<string> = new LatestRead(() =>
      changes.push([latest.value, latest.error, latest.isFailed]),
    );
    return { latest, changes, values: [] };
  };

  it('keeps the value while it is read again, and reports each change', async () => {
    const { latest, changes, values } = setup();
    await latest.run(
      () => Promise.resolve('one'),
      (value) => values.push(value),
    );
    const second = reading();
    const done = latest.run(second.read, (value) => values.push(value));
    expect(latest.value).to.equal('one');
    second.resolve('two');
    await done;
    expect(values).to.deep.equal(['one', 'two']);
    expect(changes).to.deep.equal([
      [undefined, undefined, false],
      ['one', undefined, false],
      ['one', undefined, false],
      ['two', undefined, false],
    ]);
  });

  it('has an error until the next read, and no value', async () => {
    const { latest } = setup();
    await latest.run(
      () => Promise.resolve('one'),
      () => undefined,
    );
    await latest.run(
      () => Promise.reject(new Error('broken')),
      () => expect.fail('has a value'),
    );
    expect(latest.isFailed).to.equal(true);
    expect((latest.error as Error).message).to.equal('broken');
    expect(latest.value).to.equal(undefined);
    const next = reading();
    void latest.run(next.read, () => undefined);
    expect(latest.isFailed).to.equal(false);
    expect(latest.error).to.equal(undefined);
    next.resolve('');
  });

  it('drops what a read answers that another one follows, also its error', async () => {
    const { latest, values } = setup();
    const [first, second, third] = [reading(), reading(), reading()];
    const done = [first, second, third].map(({ read }) =>
      latest.run(read, (value) => values.push(value)),
    );
    expect([first, second, third].map(({ signal }) => signal().aborted)).to.deep.equal([
      true,
      true,
      false,
    ]);
    third.resolve('third');
    first.resolve('first');
    second.reject(new Error('broken'));
    await Promise.all(done);
    expect(values).to.deep.equal(['third']);
    expect(latest.value).to.equal('third');
    expect(latest.isFailed).to.equal(false);
  });

  it('drops what is still read when it forgets', async () => {
    const { latest } = setup();
    const first = reading();
    const done = latest.run(first.read, () => expect.fail('has a value'));
    latest.clear();
    first.resolve('first');
    await done;
    expect(latest.value).to.equal(undefined);
  });
});
