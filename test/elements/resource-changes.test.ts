import type { McpClient, ResourceContents } from '@inpage-mcp/client';
import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { eventually, expectFocus, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

/** What the highlights of the page mark, in the order of the text. */
function marked(name: string): string[] {
  const ranges = [...(CSS.highlights.get(name) ?? [])] as StaticRange[];
  return ranges.map(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range.toString();
  });
}

describe('<mcp-resource-view> after an update', () => {
  const setup = useLinkedClient();

  const showNote = async (text: string): Promise<{ view: McpResourceView; id: string }> => {
    const { id } = await setup.linked.server.store.notes.create({ title: 'a', text });
    const uri = `note:///${id}`;
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${setup.client} .uri=${uri}></mcp-resource-view>`,
    );
    await eventually(() => view.shadowRoot!.querySelector('.portion'));
    await setup.client.watch(uri, () => undefined).ready;
    return { view, id };
  };
  const update = async (id: string, text: string): Promise<void> => {
    await setup.linked.others.notes.update(id, { text });
  };
  const bar = (view: McpResourceView): Promise<HTMLElement> =>
    eventually(() => view.shadowRoot!.querySelector<HTMLElement>('[part=changes]'));
  const statusOf = (view: McpResourceView): string =>
    inside(view, '.visually-hidden[role=status]').textContent.trim();

  it('marks the lines that have changed, in what is formatted', async () => {
    const { view, id } = await showNote('# Title\n\nOne **two** three 8.00.\n\nLast words.');
    await update(id, '# Title\n\nOne **new two** three 9.00.\n\nLast words, really.');
    const shown = await bar(view);
    expect(marked('mcp-changed')).to.deep.equal(['new two', ' three 9.00.', 'Last words, really.']);
    expect(shown.textContent.trim()).to.equal('Updated');
    expect(view.matches(':state(updated)')).to.equal(true);
    expect(statusOf(view)).to.equal('The resource was updated.');
    await expect(view).to.be.accessible();
  });

  it('marks the line after what was removed', async () => {
    const { view, id } = await showNote('One\n\ntwo\n\nthree');
    await update(id, 'One\n\nthree');
    await bar(view);
    expect(marked('mcp-changed-removed')).to.deep.equal(['three']);
    expect(marked('mcp-changed')).to.deep.equal([]);
  });

  it('counts updates that follow one another at once as one', async () => {
    const { view, id } = await showNote('One two three.');
    await update(id, 'One zwei three.');
    await bar(view);
    await update(id, 'One zwei drei.');
    await eventually(() => marked('mcp-changed').join() === 'One zwei drei.');
    await view.updateComplete;
    expect(statusOf(view)).to.equal('The resource was updated.');
  });

  it('removes the marks when the user wants that, and when it shows another resource', async () => {
    const { view, id } = await showNote('one');
    await update(id, 'two');
    await bar(view);
    inside(view, '[part=changes] button:last-child').click();
    await view.updateComplete;
    expect(view.shadowRoot!.querySelector('[part=changes]')).to.equal(null);
    expect(marked('mcp-changed')).to.deep.equal([]);
    await update(id, 'three');
    await bar(view);
    view.remove();
    expect(marked('mcp-changed')).to.deep.equal([]);
  });

  it('marks and announces nothing that the page says is its own', async () => {
    const { view, id } = await showNote('one');
    view.addEventListener('mcp-resource-change', (event) => event.preventDefault(), { once: true });
    await update(id, 'two');
    await eventually(() => inside(view, '.markdown').textContent.trim() === 'two');
    await view.updateComplete;
    expect(view.shadowRoot!.querySelector('[part=changes]')).to.equal(null);
    expect(statusOf(view)).to.equal('');
    await update(id, 'three');
    await bar(view);
  });

  it('says who has changed it where a listener knows', async () => {
    const { view, id } = await showNote('one');
    view.addEventListener('mcp-resource-change', (event) => {
      event.by = 'Ada';
    });
    await update(id, 'two');
    expect((await bar(view)).textContent).to.contain('Updated by Ada');
    expect(statusOf(view)).to.equal('The resource was updated by Ada.');
  });

  it('keeps its place and the focus', async () => {
    const text = `[a link](https://example.com/)\n\n${'Some words.\n\n'.repeat(200)}`;
    const { view, id } = await showNote(text);
    view.style.blockSize = '200px';
    view.scrollTop = 400;
    const link = inside(view, 'a');
    link.focus({ preventScroll: true });
    await update(id, `${text}The end.`);
    await bar(view);
    expect(view.scrollTop).to.be.closeTo(400, 60);
    expectFocus(view, link);
  });

  it('gives up in time where everything has changed', async () => {
    const words = (seed: number): string =>
      Array.from({ length: 10_000 }, (_, index) => `w${(index * seed) % 9_973}`).join(' ');
    const { view, id } = await showNote(words(7));
    let longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask' });
    await update(id, words(11));
    expect((await bar(view)).textContent.trim()).to.contain('Updated');
    expect(longest).to.be.below(1_000);
  });
});

describe('<mcp-resource-view> while updates are paused', () => {
  it('says that there is a newer version, and shows it when asked', async () => {
    let text = 'one';
    let notify = (): void => undefined;
    const client = {
      readResource: async (): Promise<{ contents: ResourceContents[] }> => ({
        contents: [{ uri: 'a:b', mimeType: 'text/plain', text }],
      }),
      watch: (_uri: string, listener: () => void) => (notify = listener),
      watchState: () => undefined,
    } as never as McpClient;
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view .client=${client} uri="a:b" paused></mcp-resource-view>`,
    );
    await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'one');
    text = 'two';
    notify();
    const button = await eventually(() =>
      view.shadowRoot!.querySelector<HTMLElement>('.remark button'),
    );
    expect(view.matches(':state(stale)')).to.equal(true);
    expect(inside(view, 'pre').textContent).to.equal('one');
    await expect(view).to.be.accessible();
    button.click();
    await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'two');
    expect(view.matches(':state(stale)')).to.equal(false);
    text = 'three';
    notify();
    await eventually(() => view.matches(':state(stale)'));
    view.paused = false;
    await eventually(() => view.shadowRoot!.querySelector('pre')?.textContent === 'three');
  });
});
