import type { ResourceContents } from '@inpage-mcp/client';
import { expect } from '@open-wc/testing';
import type { RendererElement } from '../../../packages/elements/src/show/renderers/renderer.js';
import { inside } from '../../support/elements.js';
import { leastBlocking } from '../../support/slowness.js';
import { bytesOf, show as showAs } from '../../support/renderers.js';

const MEGABYTE = 1_048_576;

const show = (contents: ResourceContents): Promise<RendererElement> =>
  showAs(contents, false, 'mcp-view-hex');

const rowsOf = (element: Element): string[] => inside(element, '.scroller').textContent.split('\n');

describe('<mcp-view-hex>', () => {
  it('shows offsets, bytes and ASCII', async () => {
    const element = await show(bytesOf([new Uint8Array([0, 1, 255]), 'Hello, world <b>!']));
    expect(rowsOf(element)).to.deep.equal([
      '00000000  00 01 ff 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 20  ···Hello, world ',
      '00000010  3c 62 3e 21                                      <b>!',
    ]);
    await expect(element).to.be.accessible();
    element.style.colorScheme = 'dark';
    await expect(element).to.be.accessible();
  });

  it('reads of 100 MB only the first part, and says so', async () => {
    const contents = bytesOf(Array.from({ length: 100 }, () => new Uint8Array(MEGABYTE)));
    const blob = contents._meta!['io.github.inpage-mcp/blob'] as Blob;
    const slices: number[] = [];
    const slice = blob.slice.bind(blob);
    blob.slice = (start = 0, end = 0, type?: string) => {
      slices.push(end - start);
      return slice(start, end, type);
    };
    const element = await show(contents);
    expect(slices).to.deep.equal([16_384]);
    expect(rowsOf(element)).to.have.length(1_024);
    expect(inside(element, '[part=bar]').textContent.trim()).to.equal('16 kB of 105 MB');
    expect(await leastBlocking(100, () => show(contents))).to.be.below(100);
  });

  it('shows base64, and nothing of nothing', async () => {
    const element = await show({ uri: 'a:b', blob: btoa('abc') });
    expect(rowsOf(element)[0]).to.match(/^00000000 {2}61 62 63 +abc$/);
    const empty = await show(bytesOf([]));
    expect(empty.shadowRoot!.querySelector('.scroller')).to.equal(null);
    await expect(empty).to.be.accessible();
  });
});
