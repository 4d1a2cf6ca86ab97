import { fromBase64 } from '@inpage-mcp/encoding';
import { range } from './answer-shapes.js';
import { BLOB_EXTENSION, RANGE_META_KEY, type ContentRange } from '../api/binary-extension.js';
import { ClientError } from '../api/client-error.js';
import type { BlobResourceContents, ResourceContents } from '@inpage-mcp/protocol/types';

/** Whether the contents are bytes, not text. */
export function isBlobContents(contents: ResourceContents): contents is BlobResourceContents {
  return 'blob' in contents;
}

/**
 * The bytes of the contents: text as UTF-8, base64 decoded.
 *
 * @throws {ClientError} `invalid-result` if they are not base64.
 * @throws {TypeError} if they came as a Blob, which cannot be read synchronously: use
 *   {@link blobOf}. Servers send Blobs only to a client with `blobs`.
 */
export function bytesOf(contents: ResourceContents): Uint8Array<ArrayBuffer> {
  if (handleIn(contents)) {
    throw new TypeError(`The bytes of ${contents.uri} came as a Blob: use blobOf(contents).`);
  }
  if (!isBlobContents(contents)) return new TextEncoder().encode(contents.text);
  try {
    return fromBase64(contents.blob);
  } catch {
    throw new ClientError('invalid-result', `The bytes of ${contents.uri} are not base64.`);
  }
}

/**
 * The bytes of the contents as a Blob, from text, base64 or a Blob. The bytes of a Blob are not read.
 *
 * The Blob has no type. If you create an object URL from it, choose the type carefully: a user who
 * opens `text/html` or SVG opens a document of the page's own origin.
 */
export function blobOf(contents: ResourceContents): Blob {
  return handleIn(contents) ?? new Blob([bytesOf(contents)]);
}

/** The range of the bytes that the contents have; `undefined` if they have all bytes. */
export function rangeOf({ _meta }: ResourceContents): ContentRange | undefined {
  return range(_meta?.[RANGE_META_KEY]) as ContentRange | undefined;
}

/** The bytes, if they came as a Blob. */
function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}
