import { expect, fixture, html } from '@open-wc/testing';
import '@inpage-mcp/elements/all';
import type { McpResourceView } from '@inpage-mcp/elements';
import { sendKeys } from '@web/test-runner-commands';
import { eventually, inside } from '../support/elements.js';
import { useLinkedClient } from '../support/linked-server.js';

describe('<mcp-resource-view> after a link was followed', function () {
  this.timeout(30_000);
  const setup = useLinkedClient();

  const show = async (): Promise<McpResourceView> => {
    const { files } = setup.linked.server.store;
    const words = 'Words.\n\n'.repeat(200);
    await files.write('a.md', new Blob([`# First\n\n${words}[next](b.md)\n\n${words}`]));
    await files.write('b.md', new Blob([`# Second\n\n[third](c.md)\n\n${words}`]));
    await files.write('c.md', new Blob(['# Third']));
    const view = await fixture<McpResourceView>(
      html`<mcp-resource-view
        .client=${setup.client}
        uri="file:///a.md"
        style="block-size: 200px"
        header
        follow-links
      ></mcp-resource-view>`,
    );
    await heading(view, 'First');
    await link(view);
    return view;
  };
  /** The link, which is further down. */
  const link = (view: McpResourceView): Promise<HTMLElement> =>
    eventually(() => view.shadowRoot!.querySelector<HTMLElement>('[role=link]'));
  const heading = (view: McpResourceView, text: string): Promise<true> =>
    eventually(() => view.shadowRoot!.querySelector('h1')?.textContent === text);
  const back = (view: McpResourceView): Promise<HTMLElement> =>
    eventually(() => view.shadowRoot!.querySelector<HTMLElement>('[part=back] button'));
  const follow = async (view: McpResourceView, text: string): Promise<void> => {
    const next = await link(view);
    next.scrollIntoView({ block: 'center' });
    next.focus({ preventScroll: true });
    await sendKeys({ press: 'Enter' });
    await heading(view, text);
  };

  it('leads back to the place of the link, also over several links', async () => {
    const view = await show();
    expect(view.shadowRoot!.querySelector('[part=back]')).to.equal(null);
    inside(view, '[role=link]').scrollIntoView({ block: 'center' });
    expect(view.scrollTop).to.be.above(500);
    const top = (await link(view)).getBoundingClientRect().top;
    await follow(view, 'Second');
    expect((await back(view)).textContent).to.contain('Back to \u2068a.md\u2069');
    await eventually(() => view.scrollTop === 0);
    await eventually(() => view.shadowRoot!.activeElement?.id === 'body');
    const status = inside(view, '.visually-hidden[role=status]');
    await eventually(() => status.textContent.trim() === 'b.md');
    await expect(view).to.be.accessible();
    await follow(view, 'Third');
    expect((await back(view)).textContent).to.contain('b.md');
    (await back(view)).click();
    await heading(view, 'Second');
    await eventually(() => view.shadowRoot!.activeElement?.textContent === 'third');
    view.back();
    await heading(view, 'First');
    await eventually(() => view.shadowRoot!.activeElement?.textContent === 'next');
    // What is above it has another height until it is drawn, so not the position of the view counts.
    expect((await link(view)).getBoundingClientRect().top).to.be.closeTo(top, 60);
    await eventually(() => !view.shadowRoot!.querySelector('[part=back]'));
  });

  it('asks the page first', async () => {
    const view = await show();
    await follow(view, 'Second');
    let uri: string | undefined;
    view.addEventListener('mcp-resource-back', (event) => {
      uri = event.uri;
      event.preventDefault();
    });
    (await back(view)).click();
    expect(uri).to.equal('file:///a.md');
    await view.updateComplete;
    expect(view.uri).to.equal('file:///b.md');
    expect(view.shadowRoot!.querySelector('[part=back]')).not.to.equal(null);
  });

  it('ends where the page shows another resource, or has no links to follow', async () => {
    const view = await show();
    await follow(view, 'Second');
    view.uri = 'file:///c.md';
    await heading(view, 'Third');
    expect(view.shadowRoot!.querySelector('[part=back]')).to.equal(null);
    view.back();
    expect(view.uri).to.equal('file:///c.md');
  });

  it('leads back from a resource that does not exist', async () => {
    const view = await show();
    await setup.linked.server.store.files.delete('b.md');
    inside(view, '[role=link]').click();
    await eventually(() => view.matches(':state(error)'));
    (await back(view)).click();
    await heading(view, 'First');
  });
});
