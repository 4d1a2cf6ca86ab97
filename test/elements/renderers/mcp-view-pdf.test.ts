import { expect } from '@open-wc/testing';
import { eventually, inside } from '../../support/elements.js';
import { all, bytesOf, show } from '../../support/renderers.js';

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n';

/** Shows contents in a browser that has a viewer, or has none. */
async function showIn(hasViewer: boolean, text: string): ReturnType<typeof show> {
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: hasViewer, configurable: true });
  return await show(bytesOf([text], 'application/pdf', 'file:///a.pdf'));
}

describe('<mcp-view-pdf>', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'pdfViewerEnabled');
  });

  it('shows a PDF in the viewer of the browser', async () => {
    const element = await showIn(true, PDF);
    const frame = inside(element, 'iframe') as HTMLIFrameElement;
    expect(frame.title).to.equal('a.pdf');
    const { type } = await (await fetch(frame.src)).blob();
    expect(type).to.equal('application/pdf');
  });

  it('offers a download where the browser has no viewer', async () => {
    const element = await showIn(false, PDF);
    expect(all(element, 'iframe')).to.have.length(0);
    expect(element.shadowRoot!.textContent).to.contain('does not show PDFs');
    const link = inside(element, 'a') as HTMLAnchorElement;
    expect(link.download).to.equal('a.pdf');
    expect((await (await fetch(link.href)).blob()).type).to.equal('application/octet-stream');
    await expect(element).to.be.accessible();
  });

  it('makes no document of what is not a PDF', async () => {
    const element = await showIn(true, '<script>parent.document.title = "run"</script>');
    expect(all(element, 'iframe')).to.have.length(0);
    expect(element.shadowRoot!.textContent).to.contain('not a PDF');
    await expect(element).to.be.accessible();
  });

  it('shows other contents in the same frame', async () => {
    const element = await showIn(true, PDF);
    const frame = inside(element, 'iframe') as HTMLIFrameElement;
    const { src } = frame;
    element.contents = bytesOf([PDF, '\n'], 'application/pdf');
    await eventually(() => frame.src !== src);
    expect(frame.isConnected).to.equal(true);
    expect(await fetch(src).catch(() => 'released')).to.equal('released');
  });
});
