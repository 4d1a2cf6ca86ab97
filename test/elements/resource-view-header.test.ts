import type { McpClient } from '@inpage-mcp/client';
import { sendKeys } from '@web/test-runner-commands';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

describe('<mcp-resource-view header>', () => {
  const setup = useLinkedClient();

  const show = async (uri: string, props: object = {}): Promise<McpResourceView> => {
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view header .client=${setup.client} .uri=${uri}></mcp-resource-view>`,
    );
    Object.assign(view, props);
    await eventually(() => view.shadowRoot!.querySelector('.header'));
    await eventually(() =>
      view.shadowRoot!.querySelector('.portion, img, .download, .message, mcp-view-json'),
    );
    return view;
  };
  const write = (path: string, text: string, type = 'text/markdown'): Promise<unknown> =>
    setup.linked.server.store.files.write(path, new Blob([text], { type }));
  const words = (view: McpResourceView, selector: string): string =>
    inside(view, selector).textContent.replaceAll(/\s+/g, ' ').trim();
  const action = (view: McpResourceView, name: string): HTMLElement =>
    inside(view, `.header button[aria-label="${name}"]`);
  const statusOf = (view: McpResourceView): string => words(view, '.visually-hidden[role=status]');

  it('says what the resource is', async () => {
    const { id } = await setup.linked.server.store.notes.create({
      title: 'The plan',
      text: 'x'.repeat(4_000),
      priority: 0.9,
      audience: ['assistant'],
    });
    const view = await show(`note:///${id}`);
    expect(words(view, '[part=title]')).to.equal('The plan');
    expect(words(view, '.facts > span')).to.match(/^Note · 4\.0 kB · (now|\d.*)$/);
    inside(view, '.facts summary').click();
    const details = words(view, '.facts dl');
    expect(details).to.contain(`Address note:///${id}`);
    expect(details).to.contain('Type text/markdown');
    expect(details).to.contain('Tokens about 1,000');
    expect(details).to.contain('For models');
    expect(details).to.contain('Priority 0.9');
    expect(details).to.match(/Read in [\d.]+ ms/);
    await expect(view).to.be.accessible();
  });

  it('says what a list has said of it, of that resource only', async () => {
    const client = {
      readResource: async () => ({ contents: [{ uri: 'a:/b.txt', text: 'text' }] }),
      watch: () => undefined,
      watchState: () => undefined,
    } as never as McpClient;
    const resource = { uri: 'a:/b.txt', name: 'b', title: 'As listed' };
    const view = await show('a:/b.txt', { client, resource });
    await view.updateComplete;
    expect(words(view, '[part=title]')).to.equal('As listed');
    view.resource = { ...resource, uri: 'a:/c.txt' };
    await view.updateComplete;
    expect(words(view, '[part=title]')).to.equal('b.txt');
  });

  it('shows the source in a tab', async () => {
    await write('a.md', '# Title');
    const view = await show('file:///a.md');
    const [formatted, source] = view.shadowRoot!.querySelectorAll<HTMLElement>('[role=tab]');
    expect(formatted!.ariaSelected).to.equal('true');
    source!.click();
    const pre = await eventually(() => view.shadowRoot!.querySelector('pre.text'));
    expect(pre.textContent).to.equal('# Title');
    expect(view.mode).to.equal('source');
    await expect(view).to.be.accessible();
    source!.focus();
    await sendKeys({ press: 'ArrowLeft' });
    await eventually(() => view.shadowRoot!.querySelector('h1'));
    await eventually(() => view.shadowRoot!.activeElement === formatted);
  });

  it('has no tabs where there is one view only', async () => {
    await write('a.txt', 'text', 'text/plain');
    const view = await show('file:///a.txt');
    expect(view.shadowRoot!.querySelector('[role=tab]')).to.equal(null);
    expect(inside(view, '#body').role).to.equal(null);
  });

  it('shows the renderer of a media type, and HTML as its source first', async () => {
    await write('a.json', '{"a":1}', 'application/json');
    const view = await show('file:///a.json', {});
    await eventually(() => view.shadowRoot!.querySelector('mcp-view-json'));
    inside(view, '#tab-source').click();
    await eventually(() => view.shadowRoot!.querySelector('pre.text'));
    await write('a.html', '<b>bold</b>', 'text/html');
    view.mode = 'auto';
    view.uri = 'file:///a.html';
    await eventually(
      () => view.shadowRoot!.querySelector('pre.text')?.textContent === '<b>bold</b>',
    );
  });

  it('shows the bytes of a download when the user wants that', async () => {
    await setup.linked.server.store.files.write('a.bin', new Blob([new Uint8Array([0, 255])]));
    const view = await show('file:///a.bin');
    await eventually(() => view.shadowRoot!.querySelector('.download a'));
    inside(view, '.download button').click();
    const bytes = await eventually(() => view.shadowRoot!.querySelector('mcp-view-hex'));
    await eventually(() => view.shadowRoot!.activeElement === bytes);
    expect(view.shadowRoot!.querySelector('.download button')).to.equal(null);
    expect(view.shadowRoot!.querySelector('.download a')).not.to.equal(null);
  });

  it('pauses updates, and reads again', async () => {
    await write('a.md', 'one');
    const view = await show('file:///a.md');
    const live = action(view, 'Live updates');
    expect(live.ariaPressed).to.equal('true');
    live.click();
    await view.updateComplete;
    expect(view.paused).to.equal(true);
    expect(action(view, 'Live updates').ariaPressed).to.equal('false');
    await write('a.md', 'two');
    await eventually(() => view.matches(':state(stale)'));
    action(view, 'Read again').click();
    await eventually(() => inside(view, '.markdown').textContent.trim() === 'two');
    await expect(view).to.be.accessible();
  });

  it('copies the text, and says so', async () => {
    await write('a.md', '# One');
    const view = await show('file:///a.md');
    const copied: string[] = [];
    const { clipboard } = navigator;
    const writeText = async (text: string): Promise<void> => void copied.push(text);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    try {
      action(view, 'Copy the text').click();
      await eventually(() => statusOf(view) === 'Copied.');
      expect(copied).to.deep.equal(['# One']);
    } finally {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    }
  });

  it('saves the file under its name, as nothing that could run', async () => {
    await write('a page.html', '<script>1</script>', 'text/html');
    const view = await show('file:///a%20page.html');
    const { click } = HTMLAnchorElement.prototype;
    const links: HTMLAnchorElement[] = [];
    HTMLAnchorElement.prototype.click = function save() {
      links.push(this);
    };
    try {
      action(view, 'Download').click();
      await eventually(() => statusOf(view) === 'Saved.');
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    const [link] = links;
    expect(link!.download).to.equal('a page.html');
    const saved = await (await fetch(link!.href)).blob();
    expect(saved.type).to.equal('application/octet-stream');
    expect(await saved.text()).to.equal('<script>1</script>');
  });

  it('keeps what is there when the connection ends, with no button that cannot work', async () => {
    await write('a.md', 'one');
    const view = await show('file:///a.md');
    await setup.client.close();
    await eventually(() => view.matches(':state(closed)'));
    await view.updateComplete;
    expect(inside(view, '.markdown').textContent.trim()).to.equal('one');
    expect(words(view, '[part=connection]')).to.contain('ended');
    expect(view.shadowRoot!.querySelector('[aria-label="Read again"]')).to.equal(null);
    view.reload();
    const alert = await eventually(() => view.shadowRoot!.querySelector('[role=alert]'));
    expect(alert.querySelector('button')).to.equal(null);
    expect(inside(view, '.markdown').textContent.trim()).to.equal('one');
    await expect(view).to.be.accessible();
  });
});
