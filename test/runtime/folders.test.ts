import { expect } from '@esm-bundle/chai';
import type { Runtime } from '@inpage-mcp/runtime';
import { describeDisk } from '../support/disk.js';
import { type MortalWorkers, useMortalRuntime } from './mortal-workers.js';
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
});
