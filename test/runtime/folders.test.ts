import { expect } from '@esm-bundle/chai';
import { RuntimeError, type Runtime, type WorkerErrorEvent } from '@inpage-mcp/runtime';
import { openDB } from 'idb';
import { FoldersOfPage } from '../../packages/runtime/src/data/folders.js';
import { KeptFolders } from '../../packages/runtime/src/data/kept-folders.js';
import { StorageMarker } from '../../packages/runtime/src/supervision/storage-marker.js';
import { WorkerSupervisor } from '../../packages/runtime/src/supervision/worker-supervisor.js';
import { foldersOfPage } from '../../packages/runtime/src/folders-of-page.js';
import type { ServerWorker } from '../../packages/runtime/src/worker/server-worker.js';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { describeDisk } from '../support/disk.js';
import { failureOf } from '../support/failure.js';
import { MortalWorkers, useMortalRuntime } from './mortal-workers.js';
import { nextEvent } from './next-event.js';

describeDisk('the folders of a page', () => {
  const uri = 'disk:///project/a.txt';
  let runtime: Runtime;
  let workers: MortalWorkers;
  let name: string;
  let folder: FileSystemDirectoryHandle;

  useMortalRuntime((own) => ({ runtime, workers } = own));

  beforeEach(async () => {
    name = crypto.randomUUID();
    const root = await navigator.storage.getDirectory();
    const parent = await root.getDirectoryHandle(name, { create: true });
    folder = await parent.getDirectoryHandle('project', { create: true });
    const file = await folder.getFileHandle('a.txt', { create: true });
    const writable = await file.createWritable();
    await writable.write('text');
    await writable.close();
  });

  afterEach(async () => {
    await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true });
  });

  it('are served by the next worker from its first call on', async () => {
    const client = await runtime.connect();
    await runtime.mountFolder(folder, { keep: false });
    for (let count = 1; count <= 2; count += 1) {
      const restarted = nextEvent(runtime, 'restart');
      workers.kill();
      const { contents } = await client.readResource(uri);
      expect(contents[0]).to.include({ uri, text: 'text' });
      await restarted;
    }
    expect((await runtime.folders()).map(({ state }) => state)).to.eql(['ready']);
    await client.close();
  });

  describe('without a runtime', () => {
    let databaseName: string;
    let own: MortalWorkers;
    let supervisor: WorkerSupervisor;
    let events: EventTarget;
    let messages: string[];
    let restore: (server: ServerWorker) => Promise<void>;

    beforeEach(() => {
      databaseName = freshDatabaseName();
      own = new MortalWorkers();
      events = new EventTarget();
      messages = [];
      events.addEventListener('error', (event) =>
        messages.push((event as WorkerErrorEvent).message),
      );
      restore = async () => undefined;
      supervisor = new WorkerSupervisor({
        worker: own.make,
        options: { databaseName },
        marker: new StorageMarker(databaseName),
        confirm: undefined,
        events,
        restore: (server) => restore(server),
      });
    });

    afterEach(async () => {
      await supervisor.close();
      await own.deleteDatabase(databaseName);
      await deleteDatabase(`${databaseName}-folders`);
    });

    it('say that the page is old if their code is gone, also those that are kept', async () => {
      let outdated = 0;
      const count = (): void => void (outdated += 1);
      addEventListener('mcp-outdated', count);
      const folders = new FoldersOfPage(supervisor, events, databaseName, '/gone-1234/disk.js');
      const failure = await failureOf(folders.mount(folder, { keep: false }));
      expect(failure).to.have.property('code', 'newer-version');
      expect(outdated).to.equal(1);
      const options = { name: 'project' };
      await new KeptFolders(databaseName).put({ name: 'project', handle: folder, options });
      for (let times = 1; times <= 2; times += 1) {
        expect(await folders.all()).to.eql([]);
        expect(messages).to.have.length(times);
        expect(messages.at(-1)).to.match(/^The folder project could not be mounted: .*newer/);
        expect(outdated).to.equal(1 + times);
      }
      removeEventListener('mcp-outdated', count);
    });

    it('are not kept where no other page would look for them', async () => {
      const folders = foldersOfPage(supervisor, events, databaseName);
      let text = 'x'.repeat(6_000_000);
      while (text.length > 0)
        try {
          localStorage.setItem('filled', (localStorage.getItem('filled') ?? '') + text);
        } catch {
          text = text.slice(0, text.length >> 1);
        }
      try {
        await folders.mount(folder, {});
        expect(await new KeptFolders(databaseName).all()).to.eql([]);
        expect(await folders.all()).to.have.length(1);
      } finally {
        localStorage.removeItem('filled');
      }
    });

    it('that cannot be forgotten are closed in this tab, which says so', async () => {
      const folders = foldersOfPage(supervisor, events, databaseName);
      const mounted = await folders.mount(folder, {});
      const kept = await openDB(`${databaseName}-folders`);
      const records: unknown[] = await kept.getAll('folders');
      const { version } = kept;
      kept.close();
      // Another build of the page has moved them.
      const moved = await openDB(`${databaseName}-folders`, version + 1, {
        upgrade: (database) => database.deleteObjectStore('folders'),
      });
      moved.close();
      const failure = await failureOf(mounted.unmount());
      expect(failure).to.have.property('code', 'failed');
      expect(failure)
        .to.have.property('message')
        .that.matches(/will be open again at the next visit/);
      const again = await openDB(`${databaseName}-folders`, version + 2, {
        upgrade: (database) => database.createObjectStore('folders', { keyPath: 'name' }),
      });
      for (const record of records) await again.put('folders', record);
      again.close();
      expect(await folders.all()).to.eql([]);
      // Until the user opens it once more.
      await folders.mount(folder, {});
      const [opened] = await folders.all();
      await opened!.unmount();
      expect(await new KeptFolders(databaseName).all()).to.eql([]);
    });

    it('that a worker did not mount before it died are mounted by the next one', async () => {
      const folders = foldersOfPage(supervisor, events, databaseName);
      await folders.mount(folder, {});
      const die = () => Promise.reject(new RuntimeError('worker-restarted', 'It has died.'));
      await failureOf(folders.restore({ call: die } as unknown as ServerWorker));
      let mounted = 0;
      const counted = (server: ServerWorker): ServerWorker =>
        ({
          call: async (...args: Parameters<ServerWorker['call']>) => {
            mounted += 1;
            return await server.call(...args);
          },
        }) as unknown as ServerWorker;
      restore = (server) => folders.restore(counted(server));
      const restarted = new Promise((resolve) => events.addEventListener('restart', resolve));
      own.kill();
      await restarted;
      expect(mounted).to.equal(1);
      expect(messages).to.eql([]);
    });

    it('that a new worker has refused are mounted when the page asks for them', async () => {
      const folders = foldersOfPage(supervisor, events, databaseName);
      await folders.mount(folder, {});
      const refuse = () => Promise.reject(new RuntimeError('failed', 'Not now.'));
      restore = () => folders.restore({ call: refuse } as unknown as ServerWorker);
      const restarted = new Promise((resolve) => events.addEventListener('restart', resolve));
      own.kill();
      await restarted;
      expect(messages).to.eql(['The folder project could not be mounted: Not now.']);
      expect((await folders.all()).map(({ name: mounted }) => mounted)).to.eql(['project']);
    });
  });
});
