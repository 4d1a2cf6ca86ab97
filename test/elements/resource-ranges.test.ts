import type { McpClient } from '@inpage-mcp/client';
import { connectClient } from '@inpage-mcp/client';
import { MessagePortTransport } from '@inpage-mcp/transport';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

const LINE = 'A line of words, with an é in it.\n';

describe('<mcp-resource-view> of a server with ranges', () => {
  const setup = useLinkedClient();

  /** What the view has asked for: the length of each range, or `all`. */
  const show = async (
    uri: string,
    client: McpClient = setup.client,
    props: object = {},
  ): Promise<{ view: McpResourceView; reads: (number | 'all')[] }> => {
    const reads: (number | 'all')[] = [];
    const counting = new Proxy(client, {
      get(target, name) {
        if (name === 'readResource')
          return (...[address, options]: Parameters<McpClient['readResource']>) => {
            reads.push(options?.range?.length ?? 'all');
            return target.readResource(address, options);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const view = await fixture<McpResourceView>(html`<mcp-resource-view></mcp-resource-view>`);
    Object.assign(view, { client: counting, uri, ...props });
    await eventually(() =>
      view.shadowRoot!.querySelector('.portion, img, .download, [part=body] .message'),
    );
    return { view, reads };
  };
  const write = (path: string, text: string | Blob): Promise<unknown> =>
    setup.linked.server.store.files.write(path, new Blob([text], { type: 'text/plain' }));
  const textOf = (view: McpResourceView): string => inside(view, 'pre').textContent;

  it('reads the beginning of a long text, and twice as much when asked', async () => {
    const text = LINE.repeat(10_000);
    await write('long.txt', text);
    const { view, reads } = await show('file:///long.txt');
    await eventually(() => view.shadowRoot!.querySelector('.more'));
    expect(reads).to.deep.equal([65_536]);
    expect(inside(view, '.more').textContent).to.contain('66 kB of 350 kB');
    expect(text.startsWith(textOf(view))).to.equal(true);
    await expect(view).to.be.accessible();
    const before = textOf(view).length;
    inside(view, '.more button').click();
    // Not by the text alone: a busy page may not have drawn all of the first part yet.
    await eventually(() => reads.length > 1 && textOf(view).length > before * 1.9);
    expect(reads).to.deep.equal([65_536, 131_072]);
    expect(text.startsWith(textOf(view))).to.equal(true);
    // Nothing has changed: the user has asked for more.
    expect(view.shadowRoot!.querySelector('[part=changes]')).to.equal(null);
  });

  it('shows a text that the range has cut in a character', async () => {
    await write('cut.txt', `a${'é'.repeat(65_536)}`);
    const { view } = await show('file:///cut.txt');
    await eventually(() => textOf(view).length >= 32_768);
    expect(textOf(view)).not.to.contain('\uFFFD');
  });

  it('reads a short text once', async () => {
    await write('short.txt', 'short');
    const { view, reads } = await show('file:///short.txt');
    expect(textOf(view)).to.equal('short');
    expect(view.shadowRoot!.querySelector('.more')).to.equal(null);
    expect(reads).to.deep.equal([65_536]);
  });

  it('needs no range for a text whose size is listed as small', async () => {
    await write('short.txt', 'short');
    const uri = 'file:///short.txt';
    const { reads } = await show(uri, setup.client, { resource: { uri, name: 'a', size: 5 } });
    expect(reads).to.deep.equal(['all']);
  });

  it('asks for no range of what has no name of a file, unless it is too large', async () => {
    const { id } = await setup.linked.server.store.notes.create({ title: 'a', text: 'short' });
    const note = await show(`note:///${id}`);
    expect(note.reads).to.deep.equal(['all']);
    await write('huge', LINE.repeat(600_000));
    const { view, reads } = await show('file:///huge');
    expect(textOf(view)).to.contain('A line');
    expect(reads).to.deep.equal(['all', 65_536]);
  });

  it('reads what is no text as a whole', async () => {
    const { files } = setup.linked.server.store;
    await files.write('a.bin', new Blob([new Uint8Array(100_000)], { type: 'application/x-a' }));
    const { view } = await show('file:///a.bin');
    expect(inside(view, '.facts').textContent).to.contain('100 kB');
  });

  it('shows folders, empty texts and what is missing', async () => {
    await write('empty.txt', '');
    const { view, reads } = await show('file:///empty.txt');
    await eventually(() => view.shadowRoot!.textContent.includes('empty'));
    expect(reads).to.deep.equal([65_536]);
    const folder = await show('file:///');
    expect(folder.reads).to.deep.equal(['all']);
    const missing = await show('file:///none.txt');
    expect(inside(missing.view, '[role=alert]').textContent).to.contain('not found');
    expect(missing.reads).to.deep.equal([65_536]);
  });

  it('shows the beginning of a text that is too large for a message, from a Blob or not', async () => {
    await write('huge.txt', LINE.repeat(600_000));
    const { view } = await show('file:///huge.txt');
    expect(textOf(view)).to.contain('A line');
    const port = setup.linked.openPort();
    const client = await connectClient(new MessagePortTransport(port), { blobs: true });
    const other = await show('file:///huge.txt', client);
    expect(textOf(other.view)).to.contain('A line');
    await client.close();
  });
});
