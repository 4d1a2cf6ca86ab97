import { dataAddressOf } from './drawing-document.js';

export const SVG_TYPE = 'image/svg+xml';

/** The types that a browser opens as an image or saves, but not as a document; one of XML ends with `+xml`. */
const IMAGE_TYPE = /^image\/[\w.-]{1,60}$/;

/** The bytes of an SVG at an address; see {@link imageAddress}. */
export const svgAddress = (svg: Blob): Promise<string> =>
  dataAddressOf(svg.slice(0, svg.size, SVG_TYPE));

/**
 * The address of an image other than an SVG. To be revoked.
 *
 * A user can open an image in a tab. At a `blob:` address, a document would run its scripts in the origin of
 * the page there, and an SVG is a document. A `data:` address has an origin of its own.
 *
 * @param type Its media type. An `<img>` looks at the bytes only, so another type does not matter to it.
 */
export const imageAddress = (image: Blob, type: string): string =>
  URL.createObjectURL(image.slice(0, image.size, IMAGE_TYPE.test(type) ? type : 'image/png'));
