import type { ResourceContents } from '@inpage-mcp/client';
import { expect } from '@open-wc/testing';
import { expectFocus, inside } from '../../support/elements.js';
import { all, bytesOf, show, showInView, update } from '../../support/renderers.js';

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n';

/** Makes the browser one that has a viewer, or has none. */
function withViewer(hasViewer: boolean): void {
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: hasViewer, configurable: true });
}

const pdf = (text: string): ResourceContents => bytesOf([text], 'application/pdf', 'file:///a.pdf');

describe('<mcp-view-pdf>', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'pdfViewerEnabled');
  });

  it('shows a PDF in the viewer of the browser', async () => {
    withViewer(true);
    const element = await show(pdf(PDF));
    const frame = inside(element, 'iframe') as HTMLIFrameElement;
    expect(frame.title).to.equal('a.pdf');
    const { type } = await (await fetch(frame.src)).blob();
    expect(type).to.equal('application/pdf');
  });

  it('offers a download where the browser has no viewer', async () => {
    withViewer(false);
    const view = await showInView(pdf(PDF));
    const link = inside(view, '.download a') as HTMLAnchorElement;
    expect(inside(view, '.download').textContent).to.contain('does not show PDFs');
    expect(link.download).to.equal('a.pdf');
    expect((await (await fetch(link.href)).blob()).type).to.equal('application/octet-stream');
    await expect(view).to.be.accessible();
  });

  it('makes no document of what is not a PDF', async () => {
    withViewer(true);
    const view = await showInView(pdf('<script>parent.document.title = "run"</script>'));
    expect(inside(view, '.download').textContent).to.contain('not a PDF');
    expect(all(view, 'mcp-view-pdf')).to.have.length(0);
  });

  // The first document of a frame is no step in the history; a second one would be, and Back would lead to it.
  it('shows other contents in a new frame', async () => {
    withViewer(true);
    const element = await show(pdf(PDF));
    const frame = inside(element, 'iframe') as HTMLIFrameElement;
    const { src } = frame;
    frame.focus();
    await update(element, pdf(`${PDF}\n`));
    const next = inside(element, 'iframe') as HTMLIFrameElement;
    expect(next.src).not.to.equal(src);
    expect([frame.src, frame.isConnected]).to.deep.equal([src, false]);
    expectFocus(element, next);
    expect(await fetch(src).catch(() => 'released')).to.equal('released');
  });
});
