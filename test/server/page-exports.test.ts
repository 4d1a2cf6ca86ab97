import { expect } from '@esm-bundle/chai';
import type { Store } from '@inpage-mcp/store';
// Internal to the package: the timeout is longer than any test.
import { PageExports } from '../../packages/server/src/control/page-exports.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';

const MINUTE_MS = 60_000;

describe('exports of a page', () => {
  const timers = useFakeTimers({ only: (delayMs) => delayMs >= MINUTE_MS });
  let begun: number;
  let cancelled: number;
  let exports: PageExports;

  /** A store whose exports have two pieces: the number of the export, and 9. */
  const store = {
    exportZip() {
      begun += 1;
      const pieces = [begun, 9];
      const source = {
        pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(Uint8Array.of(piece));
        },
        cancel: () => void (cancelled += 1),
      };
      return new ReadableStream(source, { highWaterMark: 0 });
    },
  } as unknown as Store;

  beforeEach(() => {
    begun = cancelled = 0;
    exports = new PageExports();
  });

  const read = async (task: number): Promise<number[] | undefined> => {
    const { bytes } = await exports.read(task, store);
    return bytes && [...bytes];
  };

  it('are read piece by piece, each from its own beginning', async () => {
    expect([await read(1), await read(2), await read(1)]).to.deep.equal([[1], [2], [9]]);
    expect([await read(1), await read(2), await read(2)]).to.deep.equal([
      undefined,
      [9],
      undefined,
    ]);
    expect(timers.running).to.equal(0);
  });

  it('do not begin again in the middle of a file that was not read for long', async () => {
    expect(await read(1)).to.deep.equal([1]);
    timers.pass(9 * MINUTE_MS);
    expect(await read(1)).to.deep.equal([9]);
    timers.pass(11 * MINUTE_MS);
    expect(cancelled).to.equal(1);
    expect(await failureOf(read(1))).to.have.property('code', 'cancelled');
    expect(begun).to.equal(1);
    expect(await read(2)).to.deep.equal([2]);
  });

  it('do not begin if they are cancelled before their first read', async () => {
    exports.cancel(1);
    expect(await failureOf(read(1))).to.have.property('code', 'cancelled');
    expect(begun).to.equal(0);
  });
});
