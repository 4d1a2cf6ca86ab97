import { expect } from '@esm-bundle/chai';
import { startRuntime, type ActivityEntry, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { failureOf } from '../support/failure.js';
import { MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { useRecordingRuntime } from './recording-runtime.js';
import { WorkerProbe } from './worker-probe.js';

/** Chromium puts `Uncaught` before it. */
const asAskedFor = /^(Uncaught )?Error: as asked for$/;

/** The next error that the page reports as its own. The test runner does not receive it. */
async function nextErrorOfPage(): Promise<string> {
  const { onerror } = window;
  return await new Promise((resolve) => {
    window.onerror = (message) => {
      window.onerror = onerror;
      resolve(message as string);
      return true;
    };
  });
}

describe('the events of a runtime', () => {
  const fresh = useRecordingRuntime();
  let workers: MortalWorkers;
  let probe: WorkerProbe;
  let runtime: Runtime;

  beforeEach(() => {
    ({ workers, probe, runtime } = fresh);
  });

  /** Resolves when a request was reported. */
  const request = async (uris: string[]): Promise<ActivityEntry[]> => {
    const entries: ActivityEntry[] = [];
    const all = new Promise<void>((resolve) => {
      const listener = (event: { entries: readonly ActivityEntry[] }): void => {
        entries.push(...event.entries.filter(({ uri }) => uri !== undefined));
        if (entries.length >= uris.length) resolve();
      };
      runtime.addEventListener('activity', listener);
    });
    const client = await runtime.connect();
    for (const uri of uris) await client.readResource(uri);
    await all;
    await client.close();
    return entries;
  };

  it('name the connections of the page by their numbers', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    // The worker hears of the listener before it connects anybody; requests come on ports of their own.
    const reported = new Promise<ActivityEntry>((resolve) =>
      runtime.addEventListener('activity', ({ entries }) => {
        const read = entries.find(({ method }) => method === 'resources/read');
        if (read) resolve(read);
      }),
    );
    const client = await runtime.connect();
    const port = await runtime.openPort();
    const number = runtime.connectionOf(client);
    expect(number).to.be.a('number').and.not.equal(runtime.connectionOf(port));
    await client.readResource(`note:///${id}`);
    expect((await reported).connection).to.equal(number);
    expect(runtime.connectionOf(new MessageChannel().port1)).to.equal(undefined);
    await client.close();
  });

  it('report requests, the oldest first', async () => {
    const first = await runtime.notes.create({ title: 'a', text: 'b' });
    const second = await runtime.notes.create({ title: 'c', text: 'd' });
    const uris = [first, second].map(({ id }) => `note:///${id}`);
    const entries = await request(uris);
    expect(entries.map(({ uri }) => uri)).to.deep.equal(uris);
    expect(entries[0]).to.include({ method: 'resources/read' });
  });

  it('go on reporting requests when the worker was replaced', async () => {
    const { id } = await runtime.notes.create({ title: 'a', text: 'b' });
    const uri = `note:///${id}`;
    await request([uri]);
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
    expect(await request([uri])).to.have.length(1);
  });

  it('report exceptions in a worker that lives on, once, instead of the page', async () => {
    const messages: string[] = [];
    runtime.addEventListener('error', (event) => {
      event.preventDefault();
      messages.push(event.message);
    });
    const first = nextEvent(runtime, 'error');
    probe.ask('throw');
    expect((await first).message).to.match(asAskedFor);
    const second = nextEvent(runtime, 'error');
    probe.ask('throw');
    await second;
    expect(messages).to.have.length(2);
    expect(await runtime.notes.list()).to.deep.equal({ notes: [] });
    expect(workers.made).to.have.length(1);
  });

  it('leave exceptions to the page, too, where nobody takes them', async () => {
    const ofPage = nextErrorOfPage();
    probe.ask('throw');
    expect(await ofPage).to.match(asAskedFor);
    let errors = 0;
    runtime.addEventListener('error', () => (errors += 1));
    const again = nextErrorOfPage();
    probe.ask('throw');
    await again;
    expect(errors).to.equal(1);
    expect(await runtime.notes.list()).to.deep.equal({ notes: [] });
  });

  it('report rejections that nobody handles, which the page would not see', async () => {
    const event = nextEvent(runtime, 'error');
    probe.ask('reject');
    expect(await event).to.include({ message: 'as asked for', cancelable: false });
    expect(workers.made).to.have.length(1);
  });
});

describe('the limits of a runtime', () => {
  it('reach the worker, and the next one', async () => {
    const databaseName = freshDatabaseName();
    const workers = new MortalWorkers();
    const probe = new WorkerProbe();
    const limits = { page: { requestsInFlight: 3 }, guest: { requestBurst: 7, uriLength: 100 } };
    const worker = workers.recorder(probe.name);
    const runtime = await startRuntime({ databaseName, worker, limits });
    expect(await probe.next('setLimits')).to.deep.include({ limits });
    workers.kill();
    expect(await probe.next('setLimits')).to.deep.include({ limits });
    await runtime.openPort({ limits: 'guest' });
    expect(await probe.next('servePort')).to.include({ limits: 'guest' });
    await runtime.openPort();
    expect(await probe.next('servePort')).to.include({ limits: 'page' });
    await runtime.connect({ limits: 'guest' });
    expect(await probe.next('servePort')).to.include({ limits: 'guest' });
    probe.close();
    await runtime.close();
    await workers.deleteDatabase(databaseName);
  });

  it('are refused at the start where they cannot be', async () => {
    const databaseName = freshDatabaseName();
    const starting = startRuntime({ databaseName, limits: { guest: { subscriptions: -1 } } });
    expect(await failureOf(starting)).to.include({ code: 'invalid-argument' });
    await deleteDatabase(databaseName);
  });
});
