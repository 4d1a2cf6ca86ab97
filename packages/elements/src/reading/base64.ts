import { fromBase64 } from '@inpage-mcp/encoding';
import type { Slices } from './slices.js';

/** How much is decoded at once: without the native method a few milliseconds' worth. */
const SLICE_LENGTH = 262_144;

/**
 * The bytes behind base64 (RFC 4648 section 4, with or without line breaks), as parts of a Blob.
 * Rejects for anything else.
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
