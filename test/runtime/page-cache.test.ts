import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { failureOf } from '../support/failure.js';
import { MortalWorkers, useMortalRuntime } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { isWebKit } from '../support/engine.js';

/** More often than a worker may die within a minute. */
const MANY_TIMES = 8;

/** Comfortably more than another worker takes to be made. */
const A_WHILE_MS = 50;

const note = { title: 'a', text: 'b' };

/** As the browser does when it puts this page into its back/forward cache, or takes it out. */
function pass(type: 'pagehide' | 'pageshow', persisted = true): void {
  dispatchEvent(new PageTransitionEvent(type, { persisted }));
}

describe('a page that is left and comes back', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let runtime: Runtime;

  useMortalRuntime((own) => ({ databaseName, workers, runtime } = own));

  (isWebKit ? it.skip : it)('keeps its worker, but in WebKit', async () => {
    pass('pagehide');
    pass('pageshow');
    await runtime.notes.create(note);
    expect(workers.made).to.have.length(1);
  });

  it('keeps its worker where it is not left for the cache', async () => {
    pass('pagehide', false);
    pass('pageshow', false);
    await runtime.notes.create(note);
    expect(workers.made).to.have.length(1);
  });

  (isWebKit ? describe : describe.skip)('in WebKit', () => {
    beforeEach(() => (workers.isAnyKilled = true));

    it('has no worker while it is away, and another when it is back, however often', async () => {
      const { id } = await runtime.notes.create(note);
      for (let times = 1; times <= MANY_TIMES; times += 1) {
        pass('pagehide');
        // What looks alone is repeated, on the next worker.
        const read = runtime.notes.get(id);
        expect(workers.made).to.have.length(times);
        const restart = nextEvent(runtime, 'restart');
        pass('pageshow');
        expect(await restart).to.include({ count: times, reason: 'left' });
        expect(await read).to.include({ id });
      }
      expect(workers.made).to.have.length(MANY_TIMES + 1);
    });

    it('starts when it is back where it was left while it started', async () => {
      const more = new MortalWorkers();
      const starting = startRuntime({ databaseName, worker: more.make });
      pass('pagehide');
      // timed: nothing is to come, and nothing comes after it.
      await new Promise((resolve) => setTimeout(resolve, A_WHILE_MS));
      expect(more.made).to.have.length(1);
      pass('pageshow');
      const second = await starting;
      await second.notes.create(note);
      expect(more.made).to.have.length(2);
      await second.close();
    });

    it('ends its worker, too, where it is left while the runtime closes', async () => {
      const worker = workers.last;
      const closing = runtime.close();
      const { terminate } = worker;
      let isEnded = false;
      worker.terminate = () => {
        isEnded = true;
        terminate.call(worker);
      };
      pass('pagehide');
      expect(isEnded).to.equal(true);
      await closing;
    });

    it('makes no worker where it is closed while it is away, during the start, too', async () => {
      const more = new MortalWorkers();
      const ending = new AbortController();
      const starting = failureOf(
        startRuntime({ databaseName, worker: more.make, signal: ending.signal }),
      );
      pass('pagehide');
      ending.abort(new Error('enough'));
      await starting;
      pass('pageshow');
      expect(more.made).to.have.length(1);
    });

    it('can be closed while it is away', async () => {
      pass('pagehide');
      const call = failureOf(runtime.notes.list());
      await runtime.close();
      expect(await call).to.include({ code: 'closed' });
      pass('pageshow');
      expect(workers.made).to.have.length(1);
    });

    it('keeps a worker that cannot be made again', async () => {
      const worker = workers.make();
      const other = await startRuntime({ databaseName, worker });
      pass('pagehide');
      pass('pageshow');
      await other.notes.create(note);
      await other.close();
    });
  });
});
