import { connectClient, type McpClient } from '@inpage-mcp/client';
import type { McpResourceList, McpResourceView } from '@inpage-mcp/elements';
import { openStoreSync } from '@inpage-mcp/store/sync';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import { eventually, inside } from '../support/elements.js';
import { openLinkedServer, useLinkedClient, type LinkedServer } from '../support/linked-server.js';

const FRAME = 'https://frame.example';

/** A client of a frame, or of a port that the page has given away. */
async function connectGuest({ server }: LinkedServer, holder?: string): Promise<McpClient> {
  const { port1, port2 } = new MessageChannel();
  server.servePort(port2, { heldBy: 'guest', limits: 'guest', ...(holder && { holder }) });
  return await connectClient(new MessagePortTransport(port1));
}

describe('An update says who has made it', () => {
  const setup = useLinkedClient();
  let id: string;
  let list: McpResourceList;
  let view: McpResourceView;

  const statusOf = (host: Element): string =>
    inside(host, '.visually-hidden[role=status]').textContent.trim();
  const markOf = (): string | undefined =>
    list.shadowRoot!.querySelector('.updated [part=details]')?.textContent;
  const barOf = (): string | undefined =>
    view.shadowRoot!.querySelector('[part=changes] .what')?.textContent.trim();
  const textOf = (): string => inside(view, '.markdown').textContent.trim();

  /** A list and a view that show one note, with the text “one”. */
  const show = async (client: McpClient): Promise<void> => {
    ({ id } = await setup.linked.server.store.notes.create({ title: 'Plan', text: 'one' }));
    const uri = `note:///${id}`;
    const provider = await fixture(
      html`<mcp-provider .client=${client}>
        <mcp-resource-list style="block-size: 200px"></mcp-resource-list>
        <mcp-resource-view uri=${uri}></mcp-resource-view>
      </mcp-provider>`,
    );
    [list, view] = [
      provider.querySelector('mcp-resource-list')!,
      provider.querySelector('mcp-resource-view')!,
    ];
    await eventually(() => view.shadowRoot!.querySelector('.portion'));
    await eventually(() => list.shadowRoot!.querySelector('[data-index]'));
    await untilWatched();
  };
  /** The list subscribes a moment after its rows are in sight. */
  const untilWatched = async (): Promise<void> => {
    let count = 0;
    const isReported = new Promise((resolve) =>
      list.addEventListener('mcp-resource-update', resolve, { once: true }),
    );
    const timer = setInterval(() => {
      void setup.linked.server.store.notes.update(id, { text: `warm ${(count += 1)}` });
    }, 100);
    await isReported;
    clearInterval(timer);
    const { text } = await setup.linked.server.store.notes.update(id, { text: 'one' });
    await eventually(() => textOf() === text);
    // timed: marks of the updates before it may still come.
    await new Promise((resolve) => setTimeout(resolve, 300));
    view.clearChanges();
  };
  const update = (client: McpClient, text: string): Promise<unknown> =>
    client.callTool('update_note', { id, text });

  it('of the page nobody: neither is marked nor announced', async () => {
    const isOwn: boolean[] = [];
    await show(setup.client);
    for (const type of ['mcp-resource-update', 'mcp-resource-change'] as const)
      document.addEventListener(type, (event) => isOwn.push(event.isOwn), { once: true });
    await setup.linked.server.store.notes.update(id, { text: 'by the page' });
    await eventually(() => textOf() === 'by the page');
    await eventually(() => isOwn.length === 2);
    await list.updateComplete;
    await view.updateComplete;
    expect(isOwn).to.deep.equal([true, true]);
    expect([markOf(), barOf()]).to.deep.equal([undefined, undefined]);
    expect([statusOf(list), statusOf(view)]).to.deep.equal(['', '']);
  });

  it('of a tool that the same client has called nobody', async () => {
    await show(setup.client);
    await update(setup.client, 'by my tool');
    await eventually(() => textOf() === 'by my tool');
    await view.updateComplete;
    expect([markOf(), barOf()]).to.deep.equal([undefined, undefined]);
    expect([statusOf(list), statusOf(view)]).to.deep.equal(['', '']);
  });

  it('of another client a tool', async () => {
    await show(setup.client);
    const other = await setup.linked.connect();
    await update(other, 'two');
    expect(await eventually(barOf)).to.equal('Updated by a tool');
    expect(await eventually(markOf)).to.equal('updated just now by a tool');
    expect(statusOf(list)).to.equal('Plan was updated by a tool');
    expect(statusOf(view)).to.equal('The resource was updated by a tool.');
    await other.close();
  });

  it('of a frame its origin', async () => {
    await show(setup.client);
    const frame = await connectGuest(setup.linked, FRAME);
    await update(frame, 'two');
    expect(await eventually(barOf)).to.equal(`Updated by ${FRAME}`);
    expect(await eventually(markOf)).to.equal(`updated just now by ${FRAME}`);
    await frame.close();
  });

  it('of a sandboxed frame, which has no origin, that it was a frame', async () => {
    await show(setup.client);
    const frame = await connectGuest(setup.linked, 'null');
    await update(frame, 'two');
    expect(await eventually(barOf)).to.equal('Updated by a frame');
    await frame.close();
  });

  it('of another device that it was another device', async () => {
    await show(setup.client);
    const sync = await openStoreSync(setup.linked.databaseName);
    await sync.join({});
    const { mark } = await sync.read('note', id);
    const note = await setup.linked.server.store.notes.get(id);
    const synced = { version: '1', counter: 1 };
    await sync.apply([
      { kind: 'note', key: id, note: { ...note, text: 'two' }, expectedMark: mark, synced },
    ]);
    expect(await eventually(barOf)).to.equal('Updated by another device');
    expect(await eventually(markOf)).to.equal('updated just now by another device');
    expect(statusOf(list)).to.equal('Plan was updated by another device');
    await sync.close();
  });

  it('of another tab that it was another tab', async () => {
    await show(setup.client);
    const tab = await openLinkedServer(setup.linked.databaseName);
    await tab.server.store.notes.update(id, { text: 'two' });
    expect(await eventually(barOf)).to.equal('Updated by another tab');
    expect(await eventually(markOf)).to.equal('updated just now by another tab');
    expect(statusOf(list)).to.equal('Plan was updated by another tab');
    await tab.server.close();
  });

  it('of the user and somebody else at once somebody else', async () => {
    await show(setup.client);
    const frame = await connectGuest(setup.linked, FRAME);
    const { notes } = setup.linked.server.store;
    await update(frame, 'two');
    await notes.update(id, { tags: ['mine'] });
    expect(await eventually(barOf)).to.equal(`Updated by ${FRAME}`);
    expect(await eventually(markOf)).to.equal(`updated just now by ${FRAME}`);
    await frame.close();
  });

  it('in a frame its own, and of all others nothing', async () => {
    const frame = await connectGuest(setup.linked, FRAME);
    await show(frame);
    await update(frame, 'by the frame');
    await eventually(() => textOf() === 'by the frame');
    await view.updateComplete;
    expect(barOf()).to.equal(undefined);
    await setup.linked.server.store.notes.update(id, { text: 'by somebody' });
    expect(await eventually(barOf)).to.equal('Updated');
    expect(await eventually(markOf)).to.equal('updated just now');
    const port = await connectGuest(setup.linked);
    view.clearChanges();
    await update(port, 'else');
    expect(await eventually(barOf)).to.equal('Updated');
    await Promise.all([port.close(), frame.close()]);
  });
});
