import { expect } from '@esm-bundle/chai';
import { RuntimeError, startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { soon } from '../support/within.js';
import { failureOf } from '../support/failure.js';
import { RawClient } from '../support/raw-client.js';
import { MortalWorkers } from './mortal-workers.js';
import { WorkerProbe } from './worker-probe.js';

/** How a call settled: `done`, or the code of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'done',
    (error: unknown) => (error as RuntimeError).code,
  );
}

describe('a runtime that is closed', () => {
  let databaseName: string;
  let workers: MortalWorkers;

  beforeEach(() => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
  });

  afterEach(async () => {
    await workers.deleteDatabase(databaseName);
  });

  const start = (signal?: AbortSignal): Promise<Runtime> =>
    startRuntime({ databaseName, worker: workers.make, ...(signal && { signal }) });

  /** How one call of each kind settles. */
  const callAll = async (runtime: Runtime): Promise<unknown[]> => {
    const calls = [
      runtime.connect(),
      runtime.openPort(),
      runtime.provide({ uri: 'app://a', name: 'a', read: () => '' }),
      runtime.notes.create({ title: 'a', text: 'b' }),
      runtime.notes.list(),
      runtime.files.write('a', new Blob(['b'])),
      runtime.files.list(),
    ];
    return await Promise.all(calls.map(outcomeOf));
  };

  it('settles what is under way, and refuses what comes later', async () => {
    const runtime = await start();
    const provided = await runtime.provide({ uri: 'app://b', name: 'b', read: () => '' });
    const client = await runtime.connect();
    const request = failureOf(client.callTool('no such tool'));
    const calls = callAll(runtime);
    const closing = runtime.close();
    const late = callAll(runtime);
    for (const outcome of await calls) expect(outcome).to.be.oneOf(['done', 'closed']);
    for (const outcome of await late) expect(outcome).to.equal('closed');
    await Promise.all([closing, client.closed, request]);
    for (const outcome of await callAll(runtime)) expect(outcome).to.equal('closed');
    await provided.changed();
    await provided.remove();
    const refused = await failureOf(runtime.serveFrames({ allowedOrigins: [location.origin] }));
    expect(refused).to.be.instanceOf(RuntimeError);
  });

  it('is closed once, however often it is asked to', async () => {
    const runtime = await start();
    const port = new RawClient(await runtime.openPort());
    await Promise.all([runtime.close(), runtime.close()]);
    await runtime.close();
    await port.when(() => port.received.at(-1) === null);
    expect(port.received.filter((message) => message === null)).to.have.length(1);
    expect(workers.made).to.have.length(1);
  });

  it('has let the database go: nothing keeps it from being deleted', async () => {
    for (let round = 0; round < 10; round += 1) {
      const runtime = await start();
      await runtime.close();
      const deleting = indexedDB.deleteDatabase(databaseName);
      await new Promise((resolve, reject) => {
        deleting.onsuccess = resolve;
        deleting.onblocked = () => reject(new Error('It is blocked.'));
      });
    }
  });

  it('has no other worker, though it is closed while one dies', async () => {
    const runtime = await start();
    workers.kill();
    await runtime.close();
    expect(workers.made).to.have.length(1);
    expect(await outcomeOf(runtime.notes.list())).to.equal('closed');
  });

  it('settles what waits for the next worker', async () => {
    const runtime = await start();
    const client = await runtime.connect();
    let restarts = 0;
    runtime.addEventListener('restart', () => (restarts += 1));
    const closed = new Promise<unknown[]>((resolve) => {
      workers.onmake = () => {
        const outcomes = callAll(runtime);
        resolve(runtime.close().then(() => outcomes));
      };
    });
    workers.kill();
    for (const outcome of await closed) expect(outcome).to.equal('closed');
    await client.closed;
    expect(restarts).to.equal(0);
  });

  it('is closed when its signal is aborted, with everything that is under way', async () => {
    const controller = new AbortController();
    const runtime = await start(controller.signal);
    const client = await runtime.connect();
    const port = new RawClient(await runtime.openPort());
    const calls = callAll(runtime);
    controller.abort();
    for (const outcome of await calls) expect(outcome).to.equal('closed');
    await client.closed;
    await port.when(() => port.received.at(-1) === null);
    await runtime.close();
  });

  it('does not wait for a worker that hangs', async () => {
    const probe = new WorkerProbe();
    const runtime = await startRuntime({ databaseName, worker: workers.recorder(probe.name) });
    probe.ask('hang');
    await probe.next('hang');
    workers.isAnyKilled = true;
    const calls = callAll(runtime);
    await soon('the runtime is closed', runtime.close());
    for (const outcome of await calls) expect(outcome).to.equal('closed');
    probe.close();
  });
});
