import { expect } from '@esm-bundle/chai';
import { RuntimeError, startRuntime, type Runtime, type StartProgress } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { useFakeTimers } from '../support/fake-timers.js';
import { makeLargeDatabase } from '../support/large-database.js';
import { HeldScript } from '../scenarios/browser.js';
import { MortalWorkers, scriptWorker } from './mortal-workers.js';
import { nextEvent } from './next-event.js';

const HOUR_MS = 3_600_000;
const START_MS = 15_000;

describe('a worker whose script takes long to arrive', () => {
  const timers = useFakeTimers();
  const { warn } = console;
  let databaseName: string;
  let script: HeldScript;
  let states: StartProgress['state'][];
  let warnings: string[];

  beforeEach(async () => {
    databaseName = freshDatabaseName();
    script = await HeldScript.make();
    states = [];
    warnings = [];
    console.warn = (text: string) => void warnings.push(text);
  });

  afterEach(async () => {
    console.warn = warn;
    await script.letGo();
    await deleteDatabase(databaseName);
  });

  const workerOf = ({ url }: HeldScript) => new Worker(url, { type: 'module' });
  const start = (worker: () => Worker, signal?: AbortSignal): Promise<Runtime> => {
    const onProgress = ({ state }: StartProgress): void => void states.push(state);
    const starting = startRuntime({ databaseName, worker, onProgress, ...(signal && { signal }) });
    starting.catch(() => undefined);
    return starting;
  };

  it('is waited for, as long as it takes, and is asked for once', async () => {
    const starting = start(() => workerOf(script));
    await script.whenRequested(1);
    timers.pass(HOUR_MS);
    expect(states).to.deep.equal(['loading']);
    await script.letGo();
    const runtime = await starting;
    expect(states).to.deep.equal(['loading', 'opening']);
    expect(await script.requests()).to.equal(1);
    expect(await runtime.notes.list()).to.deep.equal({ notes: [] });
    await runtime.close();
  });

  it('is waited for also where it is a part of the worker that takes long', async () => {
    const whole = await HeldScript.make(`import ${JSON.stringify(script.url)};`);
    await whole.letGo();
    const starting = start(() => workerOf(whole));
    await script.whenRequested(1);
    timers.pass(HOUR_MS);
    await script.letGo();
    await (await starting).close();
    expect(await script.requests()).to.equal(1);
  });

  it('makes the page notify its developer, once, and blames nobody', async () => {
    const starting = start(() => workerOf(script));
    await script.whenRequested(1);
    timers.pass(10_000 - 1);
    expect(warnings).to.deep.equal([]);
    timers.pass(HOUR_MS);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('still loading').and.contain('startServer()');
    await script.letGo();
    await (await starting).close();
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const starting = start(() => workerOf(script), controller.signal);
    await script.whenRequested(1);
    controller.abort(new Error('enough'));
    expect(await failureOf(starting)).to.include({ message: 'enough' });
    timers.pass(HOUR_MS);
    expect(warnings).to.deep.equal([]);
  });

  it('fails at once when its download breaks off, and the network is blamed', async () => {
    const starting = start(() => workerOf(script));
    await script.whenRequested(1);
    await script.breakOff();
    const error = (await failureOf(starting)) as RuntimeError;
    expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'worker-failed' });
    expect(error.message).to.contain('could not be loaded').and.contain('connection');
    expect(error.message).not.to.match(/startServer|worker-src|dist/);
    expect(error.hint).to.contain('worker-src').and.contain('dist/worker.js');
  });

  it('is waited for in the same way when it takes the place of another', async () => {
    const workers = new MortalWorkers();
    const runtime = await start(() =>
      workers.made.length === 0 ? workers.make() : workerOf(script),
    );
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const progress: string[] = [];
    runtime.addEventListener('progress', ({ state }) => progress.push(state));
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await script.whenRequested(1);
    const reading = runtime.notes.get(id);
    timers.pass(HOUR_MS);
    expect(progress).to.deep.equal(['loading']);
    await script.letGo();
    expect(await restarted).to.include({ count: 1 });
    expect(await reading).to.include({ text: 'b' });
    expect(progress).to.deep.equal(['loading', 'opening']);
    expect(await script.requests()).to.equal(1);
    await runtime.close();
  });

  it('has a bounded time to answer from its first word on', async () => {
    let worker!: Worker;
    const starting = start(() => {
      worker = scriptWorker('postMessage("hello"); onmessage = () => {}');
      return worker;
    });
    await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
    timers.pass(START_MS - 1);
    expect(states).to.deep.equal(['loading']);
    timers.pass(1);
    const error = (await failureOf(starting)) as RuntimeError;
    expect(error).to.include({ code: 'worker-failed' });
    expect(error.message).to.contain('within 15 seconds').and.not.contain('startServer');
    expect(error.hint).to.contain('startServer()');
  });

  it('says its first word before the rest of it runs', async () => {
    const bundle = await HeldScript.make();
    await bundle.letGo();
    const text = await (await fetch(bundle.url)).text();
    const word = text.indexOf('inpage-mcp: loaded');
    // Before it stand only modules that are run when they are first imported.
    expect(word).to.be.within(0, text.length / 5);
    const source = `${text.slice(0, text.indexOf(';', word))};throw new Error("after it")`;
    const worker = scriptWorker(source);
    worker.addEventListener('error', (event) => event.preventDefault());
    const { data } = await new Promise<MessageEvent>((resolve) => {
      worker.addEventListener('message', resolve, { once: true });
    });
    expect(data).to.equal('inpage-mcp: loaded source');
    worker.terminate();
  });
});

describe('a start that upgrades the database', () => {
  it('reports how far it is, and is given its time', async () => {
    const databaseName = freshDatabaseName();
    await makeLargeDatabase(databaseName, 1, 1_000);
    const reports: StartProgress[] = [];
    const runtime = await startRuntime({
      databaseName,
      onProgress: ({ state, done, total }) => reports.push({ state, done, total }),
    });
    const states = reports.map(({ state }) => state);
    expect([...new Set(states)]).to.deep.equal(['loading', 'opening', 'upgrading']);
    expect(reports.at(-1)).to.deep.equal({ state: 'upgrading', done: 1_000, total: 1_000 });
    await runtime.close();
    await deleteDatabase(databaseName);
  });
});
