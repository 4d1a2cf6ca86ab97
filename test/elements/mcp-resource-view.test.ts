import { expect, fixture, html } from '@open-wc/testing';
import type { McpClient } from '@inpage-mcp/client';
import '@inpage-mcp/elements';
import type { McpResourceView } from '@inpage-mcp/elements';
import { deleteDatabase } from '../support/database.js';
import { eventually, inside } from '../support/elements.js';
import { openLinkedServer, type LinkedServer } from '../support/linked-server.js';

/** One transparent pixel. */
const PNG = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ),
  (character) => character.charCodeAt(0),
);

describe('<mcp-resource-view>', () => {
  let linked: LinkedServer;
  let client: McpClient;

  beforeEach(async () => {
    linked = await openLinkedServer();
    client = await linked.connect();
  });

  afterEach(async () => {
    await client.close();
    await linked.server.close();
    await deleteDatabase(linked.databaseName);
  });

  const show = async (uri?: string): Promise<McpResourceView> =>
    await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${client} .uri=${uri}></mcp-resource-view>`,
    );
  const find = (view: McpResourceView, selector: string): Promise<HTMLElement> =>
    eventually(() => view.shadowRoot!.querySelector<HTMLElement>(selector));
  const createNote = async (text: string): Promise<{ id: string; uri: string }> => {
    const { id } = await linked.server.store.notes.create({ title: 'a', text });
    return { id, uri: `note:///${id}` };
  };

  it('asks for a choice while it has no uri', async () => {
    const view = await show();
    expect(view.shadowRoot!.querySelector('slot[name=empty]')).not.to.equal(null);
    await expect(view).to.be.accessible();
  });

  it('is busy while it reads', async () => {
    const never = { watch: () => undefined, readResource: () => new Promise(() => undefined) };
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${never as never} uri="a:b"></mcp-resource-view>`,
    );
    expect(inside(view, '[aria-busy=true]')).to.be.ok;
    await expect(view).to.be.accessible();
  });

  it('shows text as text, whatever is in it', async () => {
    const text = '<img src=x onerror="document.title=1"><script>alert(1)</script>\n# Hi';
    const { uri } = await createNote(text);
    const view = await show(uri);
    const shown = await find(view, 'pre');
    expect(shown.textContent).to.equal(text);
    expect(view.shadowRoot!.querySelector('img, script')).to.equal(null);
    await expect(view).to.be.accessible();
  });

  it('shows an image, from the bytes that were read', async () => {
    await linked.server.store.files.write('a b.png', new Blob([PNG]));
    const view = await show('file:///a%20b.png');
    const image = (await find(view, 'img')) as HTMLImageElement;
    await eventually(() => image.complete && image.naturalWidth === 1);
    expect(image.alt).to.equal('a b.png');
    await expect(view).to.be.accessible();
  });

  it('offers everything else as a download that nothing can run', async () => {
    const bytes = Uint8Array.from([0, 159, 255, 60, 104, 116, 109, 108, 62]);
    await linked.server.store.files.write('évil.html', new Blob([bytes], { type: 'text/html' }));
    const view = await show('file:///%C3%A9vil.html');
    const link = (await find(view, 'a[download]')) as HTMLAnchorElement;
    expect(link.download).to.equal('évil.html');
    expect(view.shadowRoot!.textContent).to.contain('text/html · 9 B');
    const response = await fetch(link.href);
    expect(response.headers.get('content-type')).to.equal('application/octet-stream');
    expect([...new Uint8Array(await response.arrayBuffer())]).to.deep.equal([...bytes]);
    await expect(view).to.be.accessible();
  });

  it('runs no script of an SVG', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>parent.hacked = true; window.hacked = true</script></svg>`;
    await linked.server.store.files.write('a.svg', new Blob([svg]));
    const view = await show('file:///a.svg');
    const image = (await find(view, 'img')) as HTMLImageElement;
    await eventually(() => image.complete && image.naturalWidth === 10);
    expect(window).not.to.have.property('hacked');
  });

  it('reads again when the resource is updated, without a blink', async () => {
    const { id, uri } = await createNote('one');
    const view = await show(uri);
    const shown = await find(view, 'pre');
    await client.watch(uri, () => undefined).ready;
    let busy = 0;
    new MutationObserver(() => {
      if (view.shadowRoot!.querySelector('[aria-busy]')) busy += 1;
    }).observe(view.shadowRoot!, { childList: true, subtree: true });
    await linked.server.store.notes.update(id, { text: 'two' });
    await eventually(() => shown.textContent === 'two');
    expect(busy).to.equal(0);
  });

  it('says when the resource is gone, and shows it when it is back', async () => {
    const view = await show('file:///later.txt');
    const alert = await find(view, '[role=alert]');
    expect(alert.textContent).to.contain('Resource not found');
    await expect(view).to.be.accessible();
    await client.watch('file:///later.txt', () => undefined).ready;
    await linked.server.store.files.write('later.txt', new Blob(['here']));
    expect((await find(view, 'pre')).textContent).to.equal('here');
    await linked.server.store.files.delete('later.txt');
    await find(view, '[role=alert]');
    await linked.server.store.files.write('later.txt', new Blob(['again']));
    inside(view, '[role=alert] button').click();
    await find(view, 'pre');
  });

  it('shows the last of several choices, and says when it has', async () => {
    const notes = await Promise.all(['one', 'two', 'three'].map(createNote));
    const view = await show(notes[0]!.uri);
    const loaded: string[] = [];
    view.addEventListener('mcp-resource-load', ({ uri, durationMs }) => {
      expect(durationMs).to.be.above(0);
      loaded.push(uri);
    });
    for (const { uri } of notes) {
      view.uri = uri;
      await view.updateComplete;
    }
    await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'three');
    expect(loaded.at(-1)).to.equal(notes[2]!.uri);
  });

  it('revokes the addresses of what it no longer shows', async () => {
    await linked.server.store.files.write('a.png', new Blob([PNG]));
    const view = await show('file:///a.png');
    const { src } = (await find(view, 'img')) as HTMLImageElement;
    expect((await fetch(src)).ok).to.equal(true);
    view.remove();
    const failure = await fetch(src).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(TypeError);
  });
});
