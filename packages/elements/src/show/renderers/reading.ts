import type { ResourceContents } from '@inpage-mcp/client';
import { decodeText } from '@inpage-mcp/encoding';
import { blobOf } from '../../reading/content-bytes.js';
import type { Slices } from '../../reading/slices.js';

/**
 * The maximum length of the part of a text that is read, in UTF-16 code units; for bytes, the same number of
 * bytes.
 */
export const MAX_LENGTH = 16_777_216;

/** The first part of a text. */
export interface TextPart {
  text: string;
  /** Whether the text continues after it. */
  isCut: boolean;
}

/**
 * The first part of the text of contents, without a byte order mark. Bytes that are not a text are read as
 * UTF-8.
 */
export async function readText(
  contents: ResourceContents,
  slices: Slices,
  length = MAX_LENGTH,
): Promise<TextPart> {
  if ('text' in contents) {
    const { text } = contents;
    return { text: withoutMark(text).slice(0, length), isCut: text.length > length };
  }
  const blob = await blobOf(contents, slices);
  const bytes = new Uint8Array(await blob.slice(0, length).arrayBuffer());
  const isCut = blob.size > length;
  const options = { isCut, pause: () => slices.next() };
  const decoded =
    (await decodeText(bytes, options)) ??
    (await decodeText(bytes, { ...options, encoding: 'utf-8' }));
  return { text: withoutMark(decoded!.text), isCut };
}

/** A text without its byte order mark, because neither a line nor a row begins with one. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
