import { expect } from '@esm-bundle/chai';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { RuntimeError, startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { RawClient } from '../support/raw-client.js';
import {
  answeringWorker,
  MortalWorkers,
  scriptWorker,
  useMortalRuntime,
} from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { WorkerProbe } from './worker-probe.js';
import { itInAll } from '../support/it-in-all.js';

describe('a worker that dies', () => {
  let databaseName: string;
  let workers: MortalWorkers;
  let runtime: Runtime;

  useMortalRuntime((own) => ({ databaseName, workers, runtime } = own));

  const killAndWait = async (): Promise<void> => {
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
  };

  // How soon is looked at in test/e2e/worker-death.test.mjs, with the built worker: here it is loaded
  // from some 200 files.
  it('is replaced at once, and nothing that was acknowledged is lost', async () => {
    const note = await runtime.notes.create({ title: 'a', text: 'b' });
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    expect(await restarted).to.include({ count: 1, reason: 'gone' });
    expect(await runtime.notes.get(note.id)).to.deep.equal(note);
    expect(workers.made).to.have.length(2);
  });

  it('is replaced when it sends what cannot be read, as an answer is missing then', async () => {
    const restarted = nextEvent(runtime, 'restart');
    const listing = runtime.notes.list();
    workers.last.dispatchEvent(new MessageEvent('messageerror'));
    expect(await restarted).to.include({ count: 1, reason: 'messageerror' });
    expect(await listing).to.deep.equal({ notes: [] });
    expect(workers.made).to.have.length(2);
  });

  it('fails the writes under way, and says that nobody knows', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const writes = [
      runtime.notes.create({ title: 'c', text: 'd' }),
      runtime.notes.update(id, { text: 'e' }),
      runtime.notes.delete(id),
      runtime.files.write('f', new Blob(['g'])),
      runtime.files.update('f', { priority: 1 }),
      runtime.files.move('f', 'h'),
      runtime.files.delete('h'),
    ].map(failureOf);
    workers.kill();
    for (const error of await Promise.all(writes)) {
      expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'worker-restarted' });
      expect(error).to.have.property('message').that.contains('may or may not');
    }
  });

  it('is asked again what was only looked up, or opened, or provided', async () => {
    const note = await runtime.notes.create({ title: 'a', text: 'b' });
    const file = await runtime.files.write('c', new Blob(['d']));
    const calls = [
      runtime.notes.get(note.id),
      runtime.notes.list(),
      runtime.notes.search('b'),
      runtime.files.read('c'),
      runtime.files.list(),
      runtime.openPort(),
      runtime.provide({ uri: 'app://e', name: 'e', read: () => 'f' }),
      runtime.connect(),
    ] as const;
    workers.kill();
    const [got, listed, found, read, files, port, , client] = await Promise.all(calls);
    expect(got).to.deep.equal(note);
    expect(listed.notes.map(({ id }) => id)).to.deep.equal([note.id]);
    expect(found.total).to.equal(1);
    expect(await read.blob.text()).to.equal('d');
    expect(files.files).to.deep.equal([file]);
    expect(await new RawClient(port).modern('resources/list')).to.have.property('result');
    const { contents } = await client.readResource('app://e');
    expect(contents[0]).to.include({ text: 'f' });
    expect(workers.made).to.have.length(2);
  });

  it('is asked again only once', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const reading = failureOf(runtime.notes.get(id));
    runtime.addEventListener('restart', () => workers.kill(), { once: true });
    workers.kill();
    expect(await reading).to.include({ code: 'worker-restarted' });
    expect(await runtime.notes.get(id)).to.include({ text: 'b' });
    expect(workers.made).to.have.length(3);
  });

  it('lets calls wait that come before its successor runs', async () => {
    const created = new Promise((resolve) => {
      workers.onmake = () => resolve(runtime.notes.create({ title: 'a', text: 'b' }));
    });
    workers.kill();
    expect(await created).to.include({ title: 'a' });
  });

  it('ends raw ports with null, once, and so transports on them', async () => {
    const raw = new RawClient(await runtime.openPort());
    await raw.modern('resources/list');
    const transport = new MessagePortTransport(await runtime.openPort());
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await killAndWait();
    await closed;
    await runtime.notes.list();
    expect(raw.received.filter((message) => message === null)).to.have.length(1);
    expect(raw.received.at(-1)).to.equal(null);
  });

  it('does not end a port again that it has ended itself, however early', async () => {
    const probe = new WorkerProbe();
    const worker = workers.recorder(probe.name);
    const other = await startRuntime({ databaseName, worker });
    probe.ask('hang up');
    await probe.next('hang up');
    const raw = new RawClient(await other.openPort());
    await raw.when(() => raw.received.at(-1) === null);
    const restarted = nextEvent(other, 'restart');
    workers.kill();
    await restarted;
    await other.notes.list();
    expect(raw.received).to.deep.equal([null]);
    probe.close();
    await other.close();
  });

  it('gives its clients back to its successor, and each watcher is notified once', async () => {
    const client = await runtime.connect();
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const notifications: string[] = [];
    let check: () => void = () => undefined;
    const watcher = (what: string) => () => {
      notifications.push(what);
      check();
    };
    const until = async (count: number): Promise<void> => {
      await new Promise<void>((resolve) => {
        check = () => notifications.length >= count && resolve();
        check();
      });
    };
    await client.watch(`note:///${id}`, watcher('note')).ready;
    await client.watchList(watcher('list')).ready;
    await killAndWait();
    await until(2);
    expect(notifications.toSorted()).to.deep.equal(['list', 'note']);
    await runtime.notes.update(id, { text: 'c' });
    await until(4);
    expect(notifications.slice(2).toSorted()).to.deep.equal(['list', 'note']);
    const { contents } = await client.readResource(`note:///${id}`);
    expect(contents[0]).to.include({ text: 'c' });
  });

  it('leaves what is provided to its successor, without what was removed', async () => {
    let text = 'one';
    const kept = await runtime.provide({ uri: 'app://kept', name: 'kept', read: () => text });
    const gone = await runtime.provide({ uri: 'app://gone', name: 'gone', read: () => '' });
    const client = await runtime.connect();
    await gone.remove();
    await killAndWait();
    const names = async (): Promise<string[]> =>
      (await client.listResources()).resources.map(({ name }) => name);
    expect(await names()).to.deep.equal(['kept', 'storage', 'activity']);
    const changed = new Promise<void>((resolve) => {
      void client.watch('app://kept', () => resolve()).ready.then(() => kept.changed());
    });
    text = 'two';
    await changed;
    const { contents } = await client.readResource('app://kept');
    expect(contents[0]).to.include({ text: 'two' });
    await kept.remove();
    expect(await names()).to.deep.equal(['storage', 'activity']);
  });

  it('leaves to its successor what was provided, as it was then', async () => {
    const annotations = { priority: 0.5 };
    const resource = { uri: 'app://a', name: 'a', annotations, read: () => 'text' };
    await runtime.provide(resource);
    Object.assign(resource, { uri: '', name: () => 'no name' });
    Object.assign(annotations, { priority: () => 1 });
    await killAndWait();
    const client = await runtime.connect();
    const [first] = (await client.listResources()).resources;
    expect(first).to.deep.include({ uri: 'app://a', name: 'a', annotations: { priority: 0.5 } });
    const unsendable = { uri: 'app://b', name: (() => 'b') as never, read: () => '' };
    const failure = await failureOf(runtime.provide(unsendable));
    expect(failure).to.be.instanceOf(RuntimeError).and.include({ code: 'invalid-argument' });
  });

  it('has a successor also where that does not take one of the resources', async () => {
    const choosy = `(method, first) => first?.uri === 'app://bad'
      ? { ok: false, error: { code: 'invalid-argument', message: 'not that one' } }
      : { ok: true, value: method + first?.uri }`;
    const other = await startRuntime({
      databaseName,
      worker: () => (workers.made.length === 1 ? workers.make() : answeringWorker(choosy)),
    });
    const errors: string[] = [];
    other.addEventListener('error', ({ message, cancelable }) => {
      errors.push(message);
      expect(cancelable).to.equal(false);
    });
    for (const uri of ['app://bad', 'app://good']) {
      await other.provide({ uri, name: uri, read: () => '' });
    }
    const restarted = nextEvent(other, 'restart');
    workers.kill();
    expect(await restarted).to.include({ count: 1 });
    expect(errors).to.have.length(1);
    expect(errors[0]).to.contain('app://bad').and.contain('not that one');
    await other.close();
  });

  itInAll('has another successor where the first hangs while it receives them', async () => {
    let made = 0;
    const other = await startRuntime({
      databaseName,
      worker() {
        made += 1;
        return made === 2 ? answeringWorker('() => undefined') : workers.make();
      },
    });
    await other.provide({ uri: 'app://a', name: 'a', read: () => 'text' });
    const restarted = nextEvent(other, 'restart');
    workers.kill();
    expect(await restarted).to.include({ count: 1 });
    expect(made).to.equal(3);
    const client = await other.connect();
    const { contents } = await client.readResource('app://a');
    expect(contents[0]).to.include({ text: 'text' });
    await other.close();
  });

  it('leaves the page to be asked by its successor', async () => {
    const asked: string[] = [];
    const asking = await startRuntime({
      databaseName,
      worker: workers.make,
      confirm({ message }) {
        asked.push(message);
        return true;
      },
    });
    const { id } = await asking.notes.create({ title: 'Mine', text: '' });
    const restarted = nextEvent(asking, 'restart');
    workers.kill();
    await restarted;
    const client = await asking.connect({ access: { write: 'ask' } });
    await client.callTool('delete_note', { id });
    expect(asked).to.have.length(1);
    expect(await failureOf(asking.notes.get(id))).to.include({ code: 'not-found' });
    await asking.close();
  });

  it('is replaced five times in a minute, and not a sixth time', async () => {
    const client = await runtime.connect();
    const counts: number[] = [];
    runtime.addEventListener('restart', ({ count }) => counts.push(count));
    for (let times = 0; times < 5; times += 1) await killAndWait();
    const port = new RawClient(await runtime.openPort());
    const provided = await runtime.provide({ uri: 'app://a', name: 'a', read: () => '' });
    const failed = nextEvent(runtime, 'failed');
    const writing = failureOf(runtime.notes.create({ title: 'a', text: 'b' }));
    workers.kill();
    const { error } = await failed;
    expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'worker-failed' });
    expect(error.hint).to.contain('5 times');
    const calls = [
      runtime.notes.list(),
      runtime.notes.delete('x'),
      runtime.files.list(),
      runtime.connect(),
      runtime.openPort(),
      runtime.provide({ uri: 'app://b', name: 'b', read: () => '' }),
      runtime.setAccess(port.port, {}),
    ];
    for (const call of calls) expect(await failureOf(call)).to.equal(error);
    expect(await writing).to.equal(error);
    const refused = await failureOf(runtime.serveFrames({ allowedOrigins: [location.origin] }));
    expect((refused as RuntimeError).message).to.contain('Reload the page');
    expect((refused as RuntimeError).hint).to.contain('5 times');
    await port.when(() => port.received.at(-1) === null);
    await client.closed;
    await provided.changed();
    await provided.remove();
    expect(counts).to.deep.equal([1, 2, 3, 4, 5]);
    expect(workers.made).to.have.length(6);
  });

  it('is tried again when its successor does not start', async () => {
    let isBroken = true;
    const mended = await startRuntime({
      databaseName,
      worker: () => {
        const isSecond = workers.made.length === 2;
        if (!isSecond || !isBroken) return workers.make();
        isBroken = false;
        return scriptWorker('throw new Error("not today")');
      },
    });
    const restarted = nextEvent(mended, 'restart');
    const listing = mended.notes.list();
    workers.kill();
    expect(await restarted).to.include({ count: 1 });
    expect(await listing).to.deep.equal({ notes: [] });
    await mended.close();
  });

  it('fails with the reason why no successor starts', async () => {
    const source = { isBroken: false };
    const broken = await startRuntime({
      databaseName,
      worker: () => {
        if (source.isBroken) throw new Error('not any more');
        return workers.make();
      },
    });
    for (let times = 0; times < 4; times += 1) {
      const restarted = nextEvent(broken, 'restart');
      workers.kill();
      await restarted;
    }
    source.isBroken = true;
    const failed = nextEvent(broken, 'failed');
    workers.kill();
    const { error } = await failed;
    expect(error).to.include({ code: 'worker-failed' });
    expect(error.message).to.contain('could not be created');
    expect(error.cause).to.have.property('hint').that.contains('not any more');
    await broken.close();
  });
});

describe('a Worker that is given as it is', () => {
  it('cannot be made again, so its death is the end', async () => {
    const databaseName = freshDatabaseName();
    const workers = new MortalWorkers();
    const runtime = await startRuntime({ databaseName, worker: workers.make() });
    const raw = new RawClient(await runtime.openPort());
    let restarts = 0;
    runtime.addEventListener('restart', () => (restarts += 1));
    const failed = nextEvent(runtime, 'failed');
    const listing = failureOf(runtime.notes.list());
    workers.kill();
    const { error } = await failed;
    expect(error).to.include({ code: 'worker-failed' });
    expect(error.hint).to.contain('not a function');
    expect(await listing).to.equal(error);
    await raw.when(() => raw.received.at(-1) === null);
    expect(restarts).to.equal(0);
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });
});
