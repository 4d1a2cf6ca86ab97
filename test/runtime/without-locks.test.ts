import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { answeringWorker, MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';

describe('a worker where there are no Web Locks', () => {
  const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks')!;
  const { setInterval, clearInterval } = globalThis;
  const beats = new Map<unknown, () => void>();
  let workers: MortalWorkers;
  let databaseName: string;
  let runtime: Runtime;

  const start = async (worker: () => Worker): Promise<void> => {
    runtime = await startRuntime({ databaseName, worker });
  };
  const beat = (): void => {
    for (const run of beats.values()) run();
  };

  beforeEach(() => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    beats.clear();
    Reflect.deleteProperty(Navigator.prototype, 'locks');
    globalThis.setInterval = ((run: () => void) => {
      const id = {};
      beats.set(id, run);
      return id;
    }) as never;
    globalThis.clearInterval = (id) => void beats.delete(id);
  });

  afterEach(async () => {
    await runtime.close();
    expect(beats.size).to.equal(0);
    Object.defineProperty(Navigator.prototype, 'locks', locks);
    Object.assign(globalThis, { setInterval, clearInterval });
    await workers.deleteDatabase(databaseName);
  });

  it('is found dead when it leaves four pings without an answer, and replaced', async () => {
    await start(workers.make);
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    const writing = failureOf(runtime.notes.create({ title: 'a', text: 'b' }));
    for (let times = 0; times < 4; times += 1) beat();
    expect(workers.made).to.have.length(1);
    beat();
    expect(await writing).to.include({ code: 'worker-restarted' });
    expect(await restarted).to.include({ count: 1, reason: 'silent' });
    expect(await runtime.notes.list()).to.deep.equal({ notes: [] });
    // Its successor alone is pinged.
    expect(beats.size).to.equal(1);
  });

  it('lives as long as it answers', async () => {
    await start(workers.make);
    for (let times = 0; times < 4; times += 1) beat();
    for (let times = 0; times < 8; times += 1) {
      // Answered after the pings before.
      await runtime.notes.list();
      beat();
    }
    expect(workers.made).to.have.length(1);
  });

  it('is found dead also where it only hangs', async () => {
    const hanging = '() => undefined';
    let made = 0;
    await start(() => {
      made += 1;
      return made === 1 ? answeringWorker(hanging) : workers.make();
    });
    const listing = runtime.notes.list();
    const restarted = nextEvent(runtime, 'restart');
    for (let times = 0; times < 5; times += 1) beat();
    expect(await restarted).to.include({ reason: 'silent' });
    expect(await listing).to.deep.equal({ notes: [] });
  });
});
