import { expect } from '@esm-bundle/chai';
import { RuntimeError, startRuntime } from '@inpage-mcp/runtime';
import { BUILD_ID } from '@inpage-mcp/server/control-plane';
import { loadModule } from '../../packages/runtime/src/worker/load-module.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { MortalWorkers, scriptWorker } from './mortal-workers.js';
import { nextEvent } from './next-event.js';

/** A file that another deployment of the page has removed. */
const GONE = '/packages/runtime/gone-1234.js';

const workerAt = (url: string): Worker => new Worker(url, { type: 'module' });

/** A worker of another build: it does nothing after its first message. */
const otherWorker = (firstMessage: string): Worker =>
  scriptWorker(`postMessage(${JSON.stringify(firstMessage)}); onmessage = () => undefined`);

describe('a page that was deployed again', () => {
  let databaseName: string;
  let events: number;
  const count = (): void => void (events += 1);

  beforeEach(() => {
    databaseName = freshDatabaseName();
    events = 0;
    window.addEventListener('mcp-outdated', count);
  });

  afterEach(async () => {
    window.removeEventListener('mcp-outdated', count);
    await deleteDatabase(databaseName);
  });

  for (const [name, message] of [
    ['another build', 'inpage-mcp: loaded 0.0.9-1234'],
    ['a build that does not name itself', 'inpage-mcp: loaded'],
  ] as const) {
    it(`does not start with a worker of ${name}, and says what to do`, async () => {
      const worker = (): Worker => otherWorker(message);
      const error = await failureOf(startRuntime({ databaseName, worker }));
      expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'worker-outdated' });
      expect(error).to.have.property('message').that.contains('Reload');
      expect(error).to.have.property('hint').that.contains('hash').and.contains('worker.js');
      expect(events).to.equal(1);
    });
  }

  it('asks once more for a worker that a cache has of another build, with its own build', async () => {
    const workers = new MortalWorkers();
    const builds: (string | undefined)[] = [];
    const runtime = await startRuntime({
      databaseName,
      worker: (build) => {
        builds.push(build);
        return build ? workers.make() : otherWorker('inpage-mcp: loaded 0.0.9-1234');
      },
    });
    await runtime.notes.create({ title: 'A note', text: '' });
    expect(builds).to.deep.equal([undefined, BUILD_ID]);
    // So does the worker that takes its place.
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
    expect((await runtime.notes.list()).notes).to.have.length(1);
    expect(builds).to.deep.equal([undefined, BUILD_ID, undefined, BUILD_ID]);
    expect(events).to.equal(0);
    await runtime.close();
  });

  it('takes no worker of another build in the place of one that died, and does not ask again', async () => {
    const workers = new MortalWorkers();
    let others = 0;
    const runtime = await startRuntime({
      databaseName,
      worker: () => {
        if (workers.made.length === 0) return workers.make();
        others += 1;
        return otherWorker('inpage-mcp: loaded 0.0.9-1234');
      },
    });
    const failed = nextEvent(runtime, 'failed');
    workers.kill();
    expect((await failed).error).to.include({ code: 'worker-outdated' });
    // Also past the caches.
    expect(others).to.equal(2);
    expect(await failureOf(runtime.notes.list())).to.include({ code: 'worker-outdated' });
    expect(events).to.equal(1);
  });

  it('loads a part of the runtime that is gone, and says that the page is old', async () => {
    const error = await failureOf(loadModule(() => import(GONE)));
    expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'newer-version' });
    expect(error).to.have.property('message').that.contains('newer version');
    expect(events).to.equal(1);
  });
});

describe('a worker whose file is gone', () => {
  const timers = useFakeTimers();

  it('is not replaced, and the page is told that it is old', async () => {
    const databaseName = freshDatabaseName();
    const workers = new MortalWorkers();
    const runtime = await startRuntime({
      databaseName,
      worker: () => (workers.made.length === 0 ? workers.make() : workerAt(GONE)),
    });
    const failed = nextEvent(runtime, 'failed');
    const outdated = new Promise((resolve) => {
      window.addEventListener('mcp-outdated', resolve, { once: true });
    });
    workers.kill();
    // The pauses between its attempts.
    const pauses = setInterval(() => timers.pass(1_000));
    const { error } = await failed;
    clearInterval(pauses);
    expect(error).to.include({ code: 'worker-outdated' });
    expect(error.message).to.contain('newer version');
    await outdated;
  });
});
