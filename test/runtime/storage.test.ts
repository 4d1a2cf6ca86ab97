import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime, type StorageLoss } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { WorkerProbe } from './worker-probe.js';
import { eventually } from '../support/within.js';

describe('the storage of a runtime', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let probe: WorkerProbe;
  let runtimes: Runtime[];

  beforeEach(() => {
    databaseName = freshDatabaseName();
    workers = new MortalWorkers();
    probe = new WorkerProbe();
    runtimes = [];
  });

  afterEach(async () => {
    probe.close();
    for (const runtime of runtimes) await runtime.close();
    await workers.deleteDatabase(databaseName);
    localStorage.removeItem(`inpage-mcp:${databaseName}`);
  });

  const start = async (): Promise<Runtime> => {
    const runtime = await startRuntime({ databaseName, worker: workers.recorder(probe.name) });
    runtimes.push(runtime);
    return runtime;
  };
  const marker = (): unknown =>
    JSON.parse(localStorage.getItem(`inpage-mcp:${databaseName}`) ?? 'null');
  const markerWith = async (expected: object | null): Promise<void> => {
    const isThere = (): boolean => {
      const found = marker();
      if (expected === null || found === null) return found === expected;
      return Object.entries(expected).every(([key, value]) => Reflect.get(found!, key) === value);
    };
    await eventually(isThere);
  };
  const note = { title: 'a', text: 'b' };

  it('is marked outside of the database, for as long as there is something to lose', async () => {
    const runtime = await start();
    expect(marker()).to.equal(null);
    const { id } = await runtime.notes.create(note);
    await markerWith({ notes: 1, files: 0, sequence: 1 });
    await runtime.files.write('a', new Blob(['b']));
    await markerWith({ notes: 1, files: 1, sequence: 2 });
    await runtime.files.delete('a');
    await runtime.notes.delete(id);
    await markerWith(null);
  });

  it('is marked as it is at the end, however soon that comes', async () => {
    const runtime = await start();
    for (let count = 0; count < 5; count += 1) await runtime.notes.create(note);
    await runtime.close();
    expect(marker()).to.include({ sequence: 5, notes: 5 });
  });

  it('reports what was lost while no tab was open, right after the start, and once', async () => {
    const first = await start();
    await first.notes.create(note);
    await markerWith({ notes: 1 });
    await first.close();
    await deleteDatabase(databaseName);
    const second = await start();
    const { loss } = await nextEvent(second, 'storage-lost');
    const expected: StorageLoss = {
      reason: 'cleared',
      before: { notes: 1, files: 0 },
      now: { notes: 0, files: 0 },
    };
    expect(loss).to.deep.equal(expected);
    await markerWith(null);
    await second.close();
    const third = await start();
    let reports = 0;
    third.addEventListener('storage-lost', () => (reports += 1));
    await third.notes.create(note);
    await markerWith({ notes: 1, sequence: 1 });
    expect(reports).to.equal(0);
  });

  it('reports once that the last writes are missing', async () => {
    const first = await start();
    await first.notes.create(note);
    await first.close();
    const kept = marker() as { sequence: number };
    const ahead = JSON.stringify({ ...kept, sequence: 5, notes: 5 });
    localStorage.setItem(`inpage-mcp:${databaseName}`, ahead);
    const second = await start();
    const { loss } = await nextEvent(second, 'storage-lost');
    expect(loss).to.deep.equal({
      reason: 'rolled-back',
      before: { notes: 5, files: 0 },
      now: { notes: 1, files: 0 },
    });
    await markerWith(kept);
    await second.close();
    const third = await start();
    let reports = 0;
    third.addEventListener('storage-lost', () => (reports += 1));
    await third.notes.create(note);
    expect(reports).to.equal(0);
  });

  it('reports what is lost while it is open, to the page and to its clients', async () => {
    const runtime = await start();
    const { id } = await runtime.notes.create(note);
    const client = await runtime.connect();
    const notifications: string[] = [];
    client.watchList(() => notifications.push('list'));
    client.watch(`note:///${id}`, () => notifications.push('note'));
    const lost = nextEvent(runtime, 'storage-lost');
    await deleteDatabase(databaseName);
    expect((await lost).loss.reason).to.equal('cleared');
    await eventually(() => notifications.includes('list') && notifications.includes('note'));
    const read = (await failureOf(client.readResource(`note:///${id}`))) as { code: number };
    expect(read.code).to.equal(-32602);
    await runtime.notes.create(note);
  });

  it('says that a newer version has taken over', async () => {
    const runtime = await start();
    await runtime.notes.create(note);
    const newerVersion = nextEvent(runtime, 'newer-version');
    const newer = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(databaseName, 1_000);
      request.onsuccess = () => resolve(request.result);
    });
    await newerVersion;
    const error = (await failureOf(runtime.notes.list())) as { code: string };
    expect(error.code).to.equal('newer-version');
    newer.close();
  });

  it('says how much there is, and what that means', async () => {
    const runtime = await start();
    await runtime.notes.create(note);
    await runtime.files.write('a', new Blob(['b']));
    const estimate = await runtime.storage.estimate();
    expect(estimate).to.include({ notes: 1, files: 1, persisted: false });
    expect(estimate.usedBytes).to.be.a('number');
    expect(estimate.quotaBytes).to.be.a('number');
    expect(estimate.meaning).to.match(
      /^1 note and 1 file are kept in this browser\. This site uses [\d.]+ [kM]B of the [\d.]+ [MG]B it may\. The browser may delete it/,
    );
    const { persisted, meaning } = await runtime.storage.persist();
    expect(persisted).to.equal(await navigator.storage.persisted());
    expect(meaning).to.match(persisted ? /^The browser keeps it/ : /^The browser may delete it/);
  });

  it('says that the browser asks, where the user gives no answer in time', async () => {
    const runtime = await start();
    const { persist } = StorageManager.prototype;
    let questions = 0;
    let answer: ((persisted: boolean) => void) | undefined;
    StorageManager.prototype.persist = () => {
      questions += 1;
      return new Promise((resolve) => (answer = resolve));
    };
    try {
      const open = await runtime.storage.persist({ timeoutMs: 5 });
      expect(open).to.include({ persisted: false, isAsking: true });
      expect(open.meaning).to.match(/^The browser asks you whether to keep it\. The browser may/);
      const second = runtime.storage.persist();
      answer?.(true);
      expect(await second).to.include({ persisted: true, isAsking: false });
      expect(questions).to.equal(1);
      answer = undefined;
      const third = runtime.storage.persist();
      answer!(false);
      expect(await third).to.include({ persisted: false, isAsking: false });
    } finally {
      StorageManager.prototype.persist = persist;
    }
  });

  it('is emptied in every tab, without a loss being reported', async () => {
    const [here, there] = [await start(), await start()];
    await here.notes.create(note);
    await here.files.write('a', new Blob(['b']));
    await markerWith({ notes: 1, files: 1 });
    const client = await there.connect();
    const notification = new Promise<void>((resolve) => {
      client.watchList(() => resolve());
    });
    let reports = 0;
    for (const each of runtimes) each.addEventListener('storage-lost', () => (reports += 1));
    await here.storage.clear();
    await notification;
    expect((await there.notes.list()).notes).to.deep.equal([]);
    expect((await there.files.list()).files).to.deep.equal([]);
    await markerWith(null);
    await here.close();
    await there.close();
    const again = await start();
    again.addEventListener('storage-lost', () => (reports += 1));
    await again.notes.create(note);
    expect(reports).to.equal(0);
  });

  it('forgets what clients have asked for when it is emptied', async () => {
    const runtime = await start();
    const { id } = await runtime.notes.create({ title: 'secret', text: '' });
    const client = await runtime.connect();
    await client.readResource(`note:///${id}`);
    const activity = async (): Promise<string> =>
      JSON.stringify(await client.readResource('inpage:///activity'));
    expect(await activity()).to.include(id);
    await runtime.storage.clear();
    expect(await activity()).not.to.include(id);
  });

  it('writes once what has a key, though the worker dies', async () => {
    const runtime = await start();
    for (let round = 0; round < 3; round += 1) {
      const options = { idempotencyKey: `key ${round}` };
      const created = runtime.notes.create({ title: `note ${round}`, text: '' }, options);
      const restarted = nextEvent(runtime, 'restart');
      workers.kill();
      await restarted;
      const { id } = await created;
      expect(await runtime.notes.create({ title: `note ${round}`, text: '' }, options)).to.include({
        id,
      });
    }
    const { notes } = await runtime.notes.list();
    expect(notes.map(({ title }) => title)).to.deep.equal(['note 2', 'note 1', 'note 0']);
  });
});
