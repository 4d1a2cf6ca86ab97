import { fromBase64 } from '@inpage-mcp/encoding';
import type { ResourceContents } from '@inpage-mcp/client';
import { handleIn } from './content-size.js';
import type { Slices } from './slices.js';

export { sizeOf } from './content-size.js';

/** The bytes of a content as a Blob without a type. Rejects for invalid base64. */
export async function blobOf(contents: ResourceContents, slices: Slices): Promise<Blob> {
  // The bytes of a handle are not read. A decoded text has one, too.
  const handle = handleIn(contents);
  if (handle) return handle;
  if ('text' in contents) return new Blob([contents.text]);
  return new Blob(await decodeBase64(contents.blob, slices));
}

/** The length that is decoded at once, which takes a few milliseconds without the native method. */
const SLICE_LENGTH = 262_144;

/**
 * Decodes base64 (RFC 4648 section 4, with or without line breaks) into parts of a Blob. Rejects for any
 * other text.
 */
export async function decodeBase64(encoded: string, slices: Slices): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let rest = '';
  for (let start = 0; start < encoded.length; start += SLICE_LENGTH) {
    await slices.next();
    const characters = rest + encoded.slice(start, start + SLICE_LENGTH).replace(/\s/g, '');
    const isLast = start + SLICE_LENGTH >= encoded.length;
    const length = isLast ? characters.length : characters.length & ~3;
    const part = characters.slice(0, length);
    if (!isLast && part.includes('=')) throw new TypeError('The base64 ends too early.');
    parts.push(fromBase64(part));
    rest = characters.slice(length);
  }
  return parts;
}
