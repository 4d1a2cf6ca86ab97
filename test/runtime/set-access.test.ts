import { expect } from '@esm-bundle/chai';
import { RuntimeError, type Access, type Runtime } from '@inpage-mcp/runtime';
import { failureOf } from '../support/failure.js';
import { RawClient } from '../support/raw-client.js';
import type { MortalWorkers } from './mortal-workers.js';
import { nextEvent } from './next-event.js';
import { useRecordingRuntime } from './recording-runtime.js';
import type { WorkerProbe } from './worker-probe.js';

const READ_ONLY: Access = { write: 'deny' };
const NO_TOOLS: Access = { tools: 'none' };

describe('the access of a connection', () => {
  const fresh = useRecordingRuntime();
  let workers: MortalWorkers;
  let probe: WorkerProbe;
  let runtime: Runtime;

  beforeEach(() => {
    ({ workers, probe, runtime } = fresh);
  });

  it('can be changed for a client and for a port, each for itself', async () => {
    const client = await runtime.connect({ access: READ_ONLY });
    expect(await probe.next('servePort')).to.deep.include({ connection: 1, access: READ_ONLY });
    const port = await runtime.openPort({ access: NO_TOOLS });
    expect(await probe.next('servePort')).to.deep.include({ connection: 2, access: NO_TOOLS });
    await runtime.setAccess(client, NO_TOOLS);
    expect(await probe.next('setAccess')).to.deep.include({ connection: 1, access: NO_TOOLS });
    await runtime.setAccess(port, READ_ONLY);
    expect(await probe.next('setAccess')).to.deep.include({ connection: 2, access: READ_ONLY });
  });

  it('can be changed for a port that was transferred onwards', async () => {
    const port = await runtime.openPort();
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(null, [port]);
    await runtime.setAccess(port, READ_ONLY);
    expect(await probe.next('setAccess')).to.deep.include({ connection: 1, access: READ_ONLY });
    port2.close();
  });

  it('stays with a client when the worker is replaced, as it was last set', async () => {
    const client = await runtime.connect();
    const other = await runtime.connect({ access: NO_TOOLS });
    await probe.next('servePort');
    await probe.next('servePort');
    await runtime.setAccess(client, READ_ONLY);
    workers.kill();
    const served = [await probe.next('servePort'), await probe.next('servePort')];
    const accesses = served.map(({ access }) => JSON.stringify(access)).toSorted();
    expect(accesses).to.deep.equal([NO_TOOLS, READ_ONLY].map((access) => JSON.stringify(access)));
    await Promise.all([client.listResources(), other.listResources()]);
  });

  it('is not lost when the worker dies while it is set', async () => {
    const client = await runtime.connect();
    await probe.next('servePort');
    const setting = runtime.setAccess(client, READ_ONLY);
    workers.kill();
    await setting;
    expect(await probe.next('servePort')).to.deep.include({ access: READ_ONLY });
  });

  it('is not lost when it is set while the client connects again', async () => {
    const client = await runtime.connect();
    await probe.next('servePort');
    // By now it waits for the next worker, to be served with the access of before.
    const set = new Promise<void>((resolve) => {
      runtime.addEventListener('restart', () => resolve(runtime.setAccess(client, READ_ONLY)));
    });
    workers.kill();
    await set;
    await client.listResources();
    expect(await probe.next('servePort')).to.deep.include({ access: {} });
    expect(await probe.next('setAccess')).to.deep.include({ access: READ_ONLY });
  });

  it('never reaches the connection of the same number at the next worker', async () => {
    const port = await runtime.openPort();
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
    const other = await runtime.openPort();
    await runtime.setAccess(port, NO_TOOLS);
    await runtime.setAccess(other, READ_ONLY);
    expect(await probe.next('setAccess')).to.deep.include({ connection: 1, access: READ_ONLY });
  });

  it('is refused where it cannot be meant, and the one before holds on', async () => {
    const bad = { write: 'perhaps' } as unknown as Access;
    const good = await runtime.connect({ access: READ_ONLY });
    const { tools } = await good.listTools();
    const port = await runtime.openPort();
    const refused = [
      runtime.setAccess(good, bad),
      runtime.setAccess(port, bad),
      runtime.connect({ access: bad }),
      runtime.openPort({ access: bad }),
      runtime.openPort({ access: { read: (() => true) as never } }),
      // Beside `access` it would be left out.
      ...['read', 'write', 'tools', 'prompts'].flatMap((name) => [
        runtime.openPort({ [name]: 'none' }),
        runtime.connect({ [name]: 'none' }),
      ]),
    ].map(failureOf);
    for (const error of await Promise.all(refused)) {
      expect(error).to.be.instanceOf(RuntimeError).and.include({ code: 'invalid-argument' });
    }
    await probe.next('servePort');
    const restarted = nextEvent(runtime, 'restart');
    workers.kill();
    await restarted;
    expect((await good.listTools()).tools).to.deep.equal(tools);
  });

  it('of a connection that has ended is left alone', async () => {
    const client = await runtime.connect();
    await client.close();
    await runtime.setAccess(client, READ_ONLY);
    const raw = new RawClient(await runtime.openPort());
    await raw.modern('resources/list');
    raw.port.postMessage(null);
    await runtime.setAccess(raw.port, READ_ONLY);
  });

  it('can be changed for connections only, and while the runtime is open', async () => {
    const elsewhere = new MessageChannel().port1;
    for (const other of [elsewhere, {}, undefined, 1, runtime]) {
      expect(await failureOf(runtime.setAccess(other as never, {}))).to.be.instanceOf(TypeError);
    }
    const port = await runtime.openPort();
    await runtime.close();
    expect(await failureOf(runtime.setAccess(port, {}))).to.include({ code: 'closed' });
  });
});
