import { range } from './answer-shapes.js';
import { BLOB_EXTENSION, RANGE_META_KEY, type ContentRange } from '../api/binary-extension.js';
import { ClientError } from '../api/client-error.js';
import type { BlobResourceContents, ResourceContents } from '@inpage-mcp/protocol/types';

/** Not yet in the library types: Chromium 140, Firefox 133, Safari 18.2. */
interface NativeBase64 {
  fromBase64(encoded: string): Uint8Array<ArrayBuffer>;
}

/** Whether the contents are bytes rather than text. */
export function isBlobContents(contents: ResourceContents): contents is BlobResourceContents {
  return 'blob' in contents;
}

/**
 * The bytes of the contents: text as UTF-8, base64 decoded.
 *
 * @throws {ClientError} `invalid-result` when they are not base64.
 * @throws {TypeError} when they came as a Blob, as they do only for a client with `blobs`: nothing
 *   reads that at once. See {@link blobOf}.
 */
export function bytesOf(contents: ResourceContents): Uint8Array<ArrayBuffer> {
  if (handleIn(contents)) {
    throw new TypeError(`The bytes of ${contents.uri} came as a Blob: take blobOf(contents).`);
  }
  if (!isBlobContents(contents)) return new TextEncoder().encode(contents.text);
  try {
    return fromBase64(contents.blob);
  } catch {
    throw new ClientError('invalid-result', `The bytes of ${contents.uri} are not base64.`);
  }
}

/**
 * The bytes of the contents as a Blob, in whatever form they came; those of one that came as a
 * Blob are not read.
 *
 * It has no type. Whoever makes an object URL of it chooses one: one of `text/html` or of SVG is a
 * document of the page's own origin when somebody opens it.
 */
export function blobOf(contents: ResourceContents): Blob {
  return handleIn(contents) ?? new Blob([bytesOf(contents)]);
}

/** Which part of the bytes the contents hold; `undefined` when they hold all of them. */
export function rangeOf({ _meta }: ResourceContents): ContentRange | undefined {
  return range(_meta?.[RANGE_META_KEY]) as ContentRange | undefined;
}

function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}

function fromBase64(encoded: string): Uint8Array<ArrayBuffer> {
  if ('fromBase64' in Uint8Array)
    return (Uint8Array as unknown as NativeBase64).fromBase64(encoded);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}
