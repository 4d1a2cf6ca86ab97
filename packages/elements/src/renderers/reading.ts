import type { ResourceContents } from '@inpage-mcp/client';
import { blobOf } from '../reading/content-bytes.js';
import type { Slices } from '../reading/slices.js';

/** How much of a text is read, in UTF-16 code units; of bytes as many bytes. */
const MAX_LENGTH = 16_777_216;

/**
 * How many rows are shown. Browsers draw nothing below 17 million pixels: this many rows end above,
 * also where the user has doubled the size of the text.
 */
export const MAX_ROWS = 400_000;

/** How many bytes are decoded at once: a few milliseconds' worth. */
const DECODED_BYTES = 1_048_576;

/** The first part of a text. */
export interface TextPart {
  text: string;
  /** Whether the text goes on after it. */
  isCut: boolean;
}

/** The text of contents, of bytes as UTF-8 or as their byte order mark says. */
export async function readText(contents: ResourceContents, slices: Slices): Promise<TextPart> {
  if ('text' in contents) {
    // A client that checks nothing may deliver anything.
    const text = typeof contents.text === 'string' ? contents.text : '';
    return { text: text.slice(0, MAX_LENGTH), isCut: text.length > MAX_LENGTH };
  }
  const blob = await blobOf(contents, slices);
  const bytes = new Uint8Array(await blob.slice(0, MAX_LENGTH).arrayBuffer());
  const decoder = new TextDecoder(encodingOf(bytes));
  let text = '';
  for (let start = 0; start < bytes.length; start += DECODED_BYTES) {
    await slices.next();
    text += decoder.decode(bytes.subarray(start, start + DECODED_BYTES), { stream: true });
  }
  return { text: text + decoder.decode(), isCut: blob.size > MAX_LENGTH };
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
