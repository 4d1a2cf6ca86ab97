import { expect } from '@esm-bundle/chai';
import { startRuntime, type Runtime } from '@inpage-mcp/runtime';
import { deleteDatabase, freshDatabaseName } from '../support/database.js';
import { secondOrigin } from '../support/second-origin.js';

/** Loads the guest of another origin and hands it a port. Resolves with the port it reports on. */
async function openGuest(
  runtime: Runtime,
): Promise<{ frame: HTMLIFrameElement; report: MessagePort }> {
  const frame = document.createElement('iframe');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  frame.src = `${secondOrigin}/test/fixtures/guest.html`;
  document.body.append(frame);
  await loaded;
  const { port1, port2 } = new MessageChannel();
  frame.contentWindow!.postMessage('ports', secondOrigin, [await runtime.openPort(), port2]);
  return { frame, report: port1 };
}

describe('a frame of another origin that is given a port', () => {
  it('lists, reads and receives updates, and sees nothing else of the page', async () => {
    const databaseName = freshDatabaseName();
    const runtime = await startRuntime({ databaseName });
    const note = await runtime.notes.create({ title: 'Shared', text: 'one' });
    const { frame, report } = await openGuest(runtime);
    expect(() => frame.contentWindow!.document).to.throw();
    const reports: unknown[] = [];
    await new Promise<void>((resolve) => {
      report.onmessage = ({ data }: MessageEvent<unknown>) => {
        reports.push(data);
        if (data === 'watching') void runtime.notes.update(note.id, { text: 'two' });
        if (reports.length === 4) resolve();
      };
    });
    expect(reports).to.deep.equal([['Shared', 'Storage', 'Activity'], 'one', 'watching', 'two']);
    frame.remove();
    await runtime.close();
    await deleteDatabase(databaseName);
  });
});
