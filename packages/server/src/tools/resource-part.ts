import { isTextType } from '@inpage-mcp/encoding';
import type { ResourcePart } from '../access/connection-context.js';
import { toBase64 } from '../resources/contents/base64.js';
import type { ResourceContents } from '../resources/resource-provider.js';
import type { OwnCall } from './define-tool.js';

/** The number of bytes of a part if the caller does not name one. */
export const DEFAULT_PART_BYTES = 65_536;

/** The maximum number of bytes of a part: a model accepts no more at once. */
export const MAX_PART_BYTES = 1_048_576;

/** The maximum number of bytes of a character of UTF-8. */
const CHARACTER_BYTES = 4;

/** A part of a resource, with its range of bytes and the size of the whole. */
export interface ReadPart {
  contents: ResourceContents;
  range: { offset: number; length: number; size: number };
}

/**
 * Reads a part of a resource. The part of a text has whole characters, and at least one: the cut characters at
 * its ends belong to the parts next to it. Bytes that are not a text in UTF-8 are returned in base64.
 *
 * @throws {ProtocolError} as `resources/read` with a range does.
 */
export async function readPart(
  uri: string,
  { offset = 0, length = DEFAULT_PART_BYTES }: { offset?: number; length?: number },
  call: OwnCall,
): Promise<ReadPart> {
  const read = (from: number, bytes: number): Promise<ResourcePart> =>
    call.context.router.readPart(uri, { offset: from, length: bytes }, call);
  // A text has a whole character in each part, also in one that is to be shorter or begins within a character.
  const { content, part, size } = await read(offset, Math.max(length, 2 * CHARACTER_BYTES));
  const { mimeType } = content;
  const known = mimeType === undefined ? { uri } : { uri, mimeType };
  const isOfText = isTextType(mimeType ?? '');
  const all = await bytesOf(part);
  const isCut = isOfText && offset > 0 && isContinuation(all[0] ?? 0);
  const before = Math.min(CHARACTER_BYTES - 1, offset);
  const start = isCut
    ? restOfCharacter(await bytesOf((await read(offset - before, before)).part))
    : 0;
  const bytes = all.subarray(0, isOfText ? Math.max(length, start + CHARACTER_BYTES) : length);
  const isEnd = offset + bytes.length === size;
  const end = isEnd ? bytes.length : Math.max(start, lastCharacter(bytes));
  const text = isOfText ? decode(bytes.subarray(start, end)) : undefined;
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

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

/** The number of bytes that are missing of a character of UTF-8 which has begun in the last three bytes. */
function restOfCharacter(bytes: Uint8Array): number {
  const start = bytes.findLastIndex((byte) => !isContinuation(byte));
  return start < 0 ? 0 : Math.max(0, start + lengthOf(bytes[start]!) - bytes.length);
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
