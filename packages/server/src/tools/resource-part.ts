import { isTextType } from '@inpage-mcp/encoding';
import { toBase64 } from '../resources/contents/base64.js';
import type { ResourceContents } from '../resources/resource-provider.js';
import type { OwnCall } from './define-tool.js';

/** The number of bytes of a part if the caller does not name one. */
export const DEFAULT_PART_BYTES = 65_536;

/** The maximum number of bytes of a part: a model accepts no more at once. */
export const MAX_PART_BYTES = 1_048_576;

/** A part of a resource, with its range of bytes and the size of the whole. */
export interface ReadPart {
  contents: ResourceContents;
  range: { offset: number; length: number; size: number };
}

/**
 * Reads a part of a resource. The part of a text has whole characters: the cut characters at its ends belong
 * to the parts next to it. Bytes that are not a text in UTF-8 are returned in base64.
 *
 * @throws {ProtocolError} as `resources/read` with a range does.
 */
export async function readPart(
  uri: string,
  { offset = 0, length = DEFAULT_PART_BYTES }: { offset?: number; length?: number },
  call: OwnCall,
): Promise<ReadPart> {
  const { content, part, size } = await call.context.router.readPart(uri, { offset, length }, call);
  const { mimeType } = content;
  const bytes = new Uint8Array(await part.arrayBuffer());
  const known = mimeType === undefined ? { uri } : { uri, mimeType };
  const start = offset === 0 ? 0 : firstCharacter(bytes);
  const isEnd = offset + bytes.length === size;
  const end = isEnd ? bytes.length : Math.max(start, lastCharacter(bytes));
  // A part that is shorter than its character is sent as bytes: an empty text would lead to the same part again.
  const isText = isTextType(mimeType ?? '') && (end > start || isEnd);
  const text = isText ? decode(bytes.subarray(start, end)) : undefined;
  return text === undefined
    ? {
        contents: { ...known, blob: toBase64(bytes) },
        range: { offset, length: bytes.length, size },
      }
    : {
        contents: { ...known, text },
        range: { offset: offset + start, length: end - start, size },
      };
}

/** The index of the first whole character of UTF-8. */
function firstCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => !isContinuation(byte));
  return first === -1 ? Math.min(3, bytes.length) : first;
}

/** The index of the end of the last whole character of UTF-8. */
function lastCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (!isContinuation(byte)) return bytes.length - (lengthOf(byte) > back ? back : 0);
  }
  return bytes.length;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** The number of bytes of a character that begins with this byte. */
function lengthOf(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
