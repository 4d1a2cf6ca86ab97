import { expect } from '@open-wc/testing';
import type { RendererElement } from '../../../packages/elements/src/show/renderers/renderer.js';
import { eventually, inside } from '../../support/elements.js';
import { all, bytesOf, longestTaskOf, show, textsOf } from '../../support/renderers.js';

const MEGABYTE = 1_048_576;

/** 100 MB, of which each megabyte begins with its number. */
const large = (): BlobPart[] =>
  Array.from({ length: 100 }, (_, number) => {
    const part = new Uint8Array(MEGABYTE);
    part[0] = number;
    return part;
  });

/** The rows as they read, once their bytes are there. */
const rowsOf = async (element: Element): Promise<string[]> =>
  await eventually(() => {
    const rows = textsOf(element, '.row').map((row) => row.replace(/\s+/g, ' '));
    return rows.length > 0 && rows.every((row) => !row.includes('…')) && rows;
  });

/** Shows the bytes in a wide or a narrow place. */
async function showBytes(parts: BlobPart[], width = '60rem'): Promise<RendererElement> {
  const element = await show(bytesOf(parts, 'application/octet-stream'));
  element.style.inlineSize = width;
  const bytes = width === '60rem' ? '16' : '8';
  await eventually(() => inside(element, '.scroller').style.getPropertyValue('--bytes') === bytes);
  await element.updateComplete;
  return element;
}

async function goTo(element: RendererElement, offset: string): Promise<HTMLInputElement> {
  const input = inside(element, '.offset') as HTMLInputElement;
  input.value = offset;
  input.dispatchEvent(new Event('change'));
  await element.updateComplete;
  return input;
}

describe('<mcp-view-hex>', () => {
  it('shows offsets, bytes and ASCII', async () => {
    const element = await showBytes([new Uint8Array([0, 1, 255]), 'Hello, world <b>!']);
    expect(await rowsOf(element)).to.deep.equal([
      '00000000 00 01 ff 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 20 ···Hello, world',
      '00000010 3c 62 3e 21 <b>!',
    ]);
    await expect(element).to.be.accessible();
    element.style.colorScheme = 'dark';
    await expect(element).to.be.accessible();
  });

  it('shows eight bytes in a row where there is little room', async () => {
    const element = await showBytes(['Hello, world'], '320px');
    expect(await rowsOf(element)).to.deep.equal([
      '00000000 48 65 6c 6c 6f 2c 20 77 Hello, w',
      '00000008 6f 72 6c 64 orld',
    ]);
  });

  it('reads of 100 MB only what is in sight', async () => {
    const contents = bytesOf(large(), 'application/octet-stream');
    const blob = contents._meta!['io.github.inpage-mcp/blob'] as Blob;
    const slices: number[] = [];
    const slice = blob.slice.bind(blob);
    blob.slice = (start = 0, end = 0, type?: string) => {
      slices.push(end - start);
      return slice(start, end, type);
    };
    const element = await show(contents);
    await rowsOf(element);
    expect(slices).to.deep.equal([65_536]);
    expect(inside(element, '[part=bar]').textContent).to.contain('105 MB');
    expect(all(element, '.row').length).to.be.below(150);
  });

  it('goes to an offset, and to the parts before and after', async () => {
    const element = await showBytes(large());
    await rowsOf(element);
    await goTo(element, '0x2100000');
    await eventually(() => textsOf(element, '.at').includes('02100000'));
    const rows = await rowsOf(element);
    expect(rows.find((row) => row.startsWith('02100000'))).to.match(/^02100000 21 00/);
    inside(element, '.next').click();
    await eventually(() => textsOf(element, '.at')[0]! >= '02200000');
    inside(element, '.previous').click();
    await eventually(() => textsOf(element, '.at')[0] === '02000000');
  });

  it('says which offsets exist', async () => {
    const element = await showBytes(['Hello']);
    await rowsOf(element);
    expect((await goTo(element, 'ff')).validationMessage).to.contain('below 5');
    expect((await goTo(element, 'x')).validity.valid).to.equal(false);
    expect((await goTo(element, '4')).validity.valid).to.equal(true);
  });

  it('shows base64, and nothing of nothing', async () => {
    const element = await show({ uri: 'a:b', blob: btoa('abc') });
    expect((await rowsOf(element))[0]).to.match(/^00000000 61 62 63 abc$/);
    const empty = await show(bytesOf([]));
    expect(all(empty, '.row')).to.have.length(0);
    await expect(empty).to.be.accessible();
  });

  it('keeps its place when it shows other contents', async () => {
    const element = await showBytes([new Uint8Array(MEGABYTE)]);
    const scroller = inside(element, '.scroller');
    await eventually(() => scroller.scrollHeight > 100_000);
    scroller.scrollTop = 50_000;
    element.contents = bytesOf([new Uint8Array(MEGABYTE).fill(1)]);
    await eventually(() => textsOf(element, '.hex').some((row) => row.startsWith('01 01')));
    expect(scroller.scrollTop).to.equal(50_000);
  });

  it('never keeps the main thread longer than 100 ms', async () => {
    expect(await longestTaskOf(bytesOf(large()))).to.be.below(100);
  });
});
