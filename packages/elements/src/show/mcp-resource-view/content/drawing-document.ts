import type { Slices } from '../../../reading/slices.js';

/**
 * The number of bytes that are encoded at once: a multiple of three, so that the parts of base64 can be
 * joined.
 */
const SLICE_BYTES = 196_608;

/**
 * A document that contains only an SVG as an image, for a frame with `sandbox=""`. Chromium runs such a frame
 * in a process of its own, so that the page answers its user while it is drawn. As an image, the SVG runs no
 * script and loads nothing, and the document has no address and no styles of others.
 *
 * @param alt The text for an image that cannot be shown.
 */
export async function drawingDocument(svg: Blob, alt: string, slices: Slices): Promise<Blob> {
  const parts: Blob[] = [];
  for (let start = 0; start < svg.size; start += SLICE_BYTES) {
    await slices.next();
    const address = await dataAddressOf(svg.slice(start, start + SLICE_BYTES));
    // Each part is a Blob, so that no text is as long as the whole.
    parts.push(new Blob([address.slice(address.indexOf(',') + 1)]));
  }
  const text = alt.replaceAll(/[&<"]/g, (one) => `&#${one.charCodeAt(0)};`);
  // It has no style, because the policy of the page, which also applies to the frame, may forbid that.
  const before = `<!DOCTYPE html><img width="100%" alt="${text}" src="data:image/svg+xml;base64,`;
  return new Blob([before, ...parts, '">'], { type: 'text/html;charset=utf-8' });
}

/** The bytes of a Blob as a `data:` address, with the type of the Blob. */
export async function dataAddressOf(blob: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(blob);
  });
  return reader.result as string;
}
