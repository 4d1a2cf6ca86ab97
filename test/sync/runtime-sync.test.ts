import { expect } from '@open-wc/testing';
import type { DeviceSync } from '@inpage-mcp/elements';
// Internal: what conflicts are named by.
import { uriOf } from '../../packages/sync/src/page.js';
import { startRuntime, type Runtime, type Sync, type SyncOptions } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { stateOf } from '../support/framework-state.js';
import { SyncServer } from '../support/sync/sync-server.js';
import { scriptWorker } from '../runtime/mortal-workers.js';
import { withShortTimeouts } from './remote-contract.js';
import { until } from './until.js';

const PASSPHRASE = 'correct horse battery';
const SYNC_URI = 'inpage:///sync';

const worker = (): Worker =>
  new Worker(new URL('./couchdb.worker.js', import.meta.url), { type: 'module' });

const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'nothing',
    (error: { code?: string; name: string }) => error.code ?? error.name,
  );

describe('the sync of a runtime', () => {
  let server: SyncServer;
  let ends: (() => Promise<void>)[];
  let url: string;

  before(async () => {
    server = await SyncServer.couchdb();
  });

  beforeEach(() => {
    ends = [];
    url = `http://127.0.0.1:${server.port}/notes-${crypto.randomUUID()}`;
  });

  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const start = async (databaseName = freshDatabaseName()): Promise<Runtime> => {
    const runtime = await startRuntime({ databaseName });
    ends.push(async () => {
      await runtime.close();
      await deleteDatabase(databaseName);
    });
    return runtime;
  };
  const options = (password = 'secret'): SyncOptions => ({
    worker,
    remote: { url, user: 'user', password },
  });
  const joined = async (runtime: Runtime, deviceName: string): Promise<Sync> => {
    const sync = await runtime.sync(options());
    await sync.join({ secret: PASSPHRASE, deviceName });
    return sync;
  };

  it('brings the notes and files of a device to another, and tells its clients who has', async () => {
    const [phone, laptop] = [await start(), await start()];
    const note = await phone.notes.create({ title: 'Plans', text: 'from the phone' });
    await phone.files.write('a b/c.txt', new Blob(['of the phone'], { type: 'text/plain' }));
    await joined(phone, 'Phone');
    const sync = await joined(laptop, 'Laptop');
    await until(async () => (await laptop.notes.get(note.id))?.text === 'from the phone');
    await until(async () => (await laptop.files.read('a b/c.txt')) !== undefined);
    await until(() => sync.status.devices.length === 2);
    expect(sync.status.devices.map(({ name }) => name)).to.have.members(['Phone', 'Laptop']);

    const client = await laptop.connect();
    const metas: unknown[] = [];
    client.watch(`note:///${note.id}`, (...given: unknown[]) => metas.push(given));
    await client.readResource(`note:///${note.id}`);
    await phone.notes.update(note.id, { text: 'changed on the phone' });
    await until(async () => (await laptop.notes.get(note.id))?.text === 'changed on the phone');
    await until(() => JSON.stringify(metas).includes('"device"'));
  });

  it('is a resource, which names neither keys nor credentials', async () => {
    const runtime = await start();
    const client = await runtime.connect();
    const read = async (): Promise<string> => {
      const [content] = (await client.readResource(SYNC_URI)).contents;
      return (content as { text: string }).text;
    };
    expect(await codeOf(client.readResource(SYNC_URI))).not.to.equal('nothing');
    const sync = await runtime.sync(options());
    expect(JSON.parse(await read())).to.deep.include({ state: 'off', unsynced: 0, devices: [] });
    let changes = 0;
    client.watch(SYNC_URI, () => (changes += 1));
    await sync.join({ secret: PASSPHRASE, deviceName: 'Phone' });
    await until(async () => JSON.parse(await read()).state === 'idle');
    expect(changes).to.be.above(0);
    const report = JSON.parse(await read());
    expect(report.devices).to.have.length(1);
    expect(report.devices[0]).to.deep.include({ name: 'Phone', isThis: true });
    expect(Date.parse(report.syncedAt)).to.be.above(Date.now() - 60_000);
    const forbidden = [sync.status.device!, 'secret', PASSPHRASE, 'password'];
    for (const word of forbidden) expect(await read()).not.to.contain(word);
    await sync.close();
    await until(async () => (await codeOf(client.readResource(SYNC_URI))) !== 'nothing');
  });

  it('takes its options, and those of a join, from the state of a framework', async () => {
    const sync = await (await start()).sync(stateOf(options()));
    await sync.join(stateOf({ secret: PASSPHRASE, deviceName: 'Phone' }));
    await until(() => sync.status.devices[0]?.name === 'Phone');
  });

  it('says why it cannot join, with a code', async () => {
    const runtime = await start();
    const sync = await runtime.sync(options());
    expect(await codeOf(sync.join({ secret: 'short', deviceName: 'a' }))).to.equal(
      'weak-passphrase',
    );
    await sync.join({ secret: PASSPHRASE, deviceName: 'Phone' });
    const other = await (await start()).sync(options());
    const wrong = other.join({ secret: 'another long passphrase', deviceName: 'a' });
    expect(await codeOf(wrong)).to.equal('wrong-secret');
    const stranger = await (await start()).sync(options('wrong'));
    const refused = stranger.join({ secret: PASSPHRASE, deviceName: 'a' });
    expect(await codeOf(refused)).to.equal('unauthorized');
  });

  it('goes on at the next visit, and leaves', async () => {
    const databaseName = freshDatabaseName();
    const first = await startRuntime({ databaseName });
    await joined(first, 'Phone');
    await first.close();
    const runtime = await start(databaseName);
    const sync = await runtime.sync(options());
    await until(() => sync.status.state === 'idle');
    await sync.pause();
    await until(() => sync.status.state === 'paused');
    await sync.resume();
    await until(() => sync.status.state === 'idle');
    await sync.leave();
    await until(() => sync.status.state === 'off');
  });

  it('is open once, and ends with the runtime', async () => {
    const runtime = await start();
    const sync = await runtime.sync(options());
    expect(await codeOf(runtime.sync(options()))).to.equal('invalid-argument');
    await Promise.all([sync.close(), sync.close()]);
    expect(await codeOf(sync.pause())).to.equal('closed');
    await until(async () => (await codeOf(runtime.sync(options()))) === 'nothing');
    await runtime.close();
    expect(await codeOf(runtime.sync(options()))).to.equal('closed');
  });

  it('says that the script of its worker is not there', async () => {
    const missing = (): Worker => new Worker('/missing.js', { type: 'module' });
    const runtime = await start();
    const opening = runtime.sync({ ...options(), worker: missing });
    expect(await codeOf(opening)).to.equal('worker-failed');
  });

  it('gives up a worker that never answers, and makes another one', async () => {
    const status = { state: 'off', unsynced: 0, devices: [], conflicts: [] };
    // It opens, and then says nothing.
    const silent = `onmessage = ({ data: { id, path } }) => {
      if (path[0] === 'open') postMessage({ id, type: 'RAW', value: { value: ${JSON.stringify(status)} } });
    };`;
    const runtime = await start();
    await withShortTimeouts(async () => {
      const opening = runtime.sync({ ...options(), worker: () => scriptWorker('') });
      expect(await codeOf(opening)).to.equal('timeout');
    });
    const makers = [() => scriptWorker(silent), worker];
    const sync = await runtime.sync({ ...options(), worker: () => makers.shift()!() });
    let commands: Promise<string[]> | undefined;
    // The next worker has as long to start as ever.
    await withShortTimeouts(() => {
      commands = Promise.all([codeOf(sync.pause()), codeOf(sync.resume())]);
      return Promise.resolve();
    });
    expect(await commands).to.deep.equal(['timeout', 'timeout']);
    // Only one of the commands has made another worker.
    expect(makers).to.have.length(0);
    await sync.join({ secret: PASSPHRASE, deviceName: 'Phone' });
    await until(() => sync.status.state === 'idle');
  });

  it('is off after everything was deleted here, and the other devices keep it', async () => {
    const [phone, laptop] = [await start(), await start()];
    const { id } = await phone.notes.create({ title: 'Plans', text: 'kept' });
    const sync = await joined(phone, 'Phone');
    const other = await joined(laptop, 'Laptop');
    await until(async () => (await laptop.notes.get(id)).text === 'kept');
    await until(() => sync.status.state === 'idle' && other.status.state === 'idle');
    await phone.storage.clear();
    await until(() => sync.status.state === 'off');
    other.syncNow();
    await until(() => other.status.state === 'idle');
    expect((await laptop.notes.get(id)).text).to.equal('kept');
    await sync.join({ secret: PASSPHRASE, deviceName: 'Phone' });
    await until(async () => (await phone.notes.get(id)).text === 'kept');
  });

  it('names the entries of conflicts as the server does', async () => {
    const runtime = await start();
    const client = await runtime.connect();
    const paths = ['sync', 'storage', '01M8HN8WRQJYRD6V9KRZ02VG43', 'a b/ü#.txt', 'plain.txt'];
    for (const path of paths) await runtime.files.write(path, new Blob(['text']));
    for (const path of paths) await client.readResource(uriOf('file', path));
    const { id } = await runtime.notes.create({ title: 't', text: '' });
    await client.readResource(uriOf('note', id));
    const sync = await runtime.sync(options());
    // What `<mcp-sync>` takes.
    sync satisfies DeviceSync;
  });
});
