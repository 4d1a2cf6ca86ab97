import { isTextType } from '@inpage-mcp/encoding';
import { toBase64 } from '../resources/contents/base64.js';
import type { ResourceContents } from '../resources/resource-provider.js';
import type { OwnCall } from './define-tool.js';

/** The bytes of a part where the caller does not say how many. */
export const DEFAULT_PART_BYTES = 65_536;

/** The most bytes of a part: a model takes no more at once. */
export const MAX_PART_BYTES = 1_048_576;

/** A part of a resource, and which bytes it is of how many. */
export interface ReadPart {
  contents: ResourceContents;
  range: { offset: number; length: number; size: number };
}

/**
 * Reads a part of a resource. The part of a text has whole characters: what is cut off at its ends belongs to
 * the parts beside it. What is no text in UTF-8 is returned in base64.
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
  const text = isTextType(mimeType ?? '') ? decode(bytes.subarray(start, end)) : undefined;
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

/** Where the first whole character of UTF-8 begins. */
function firstCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => !isContinuation(byte));
  return first === -1 ? Math.min(3, bytes.length) : first;
}

/** Where the last whole character of UTF-8 ends. */
function lastCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (!isContinuation(byte)) return bytes.length - (lengthOf(byte) > back ? back : 0);
  }
  return bytes.length;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** How many bytes a character has that begins with this one. */
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
