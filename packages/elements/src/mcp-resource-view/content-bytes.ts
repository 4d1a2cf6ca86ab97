import type { ResourceContents } from '@inpage-mcp/client';
import { decodedLength, fromBase64 } from './base64.js';

/** Where a client with the extension for Blobs gets the bytes (docs/resources.md). */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** The bytes of a content, as a part of a Blob. Those that came as a Blob are not read. */
export function partOf(contents: ResourceContents): BlobPart {
  if ('text' in contents) return contents.text;
  return handleIn(contents) ?? fromBase64(contents.blob);
}

/** How many bytes a content has that is not text. */
export function sizeOf(contents: Extract<ResourceContents, { blob: string }>): number {
  return handleIn(contents)?.size ?? decodedLength(contents.blob);
}

/** Whether there is nothing to show. */
export function isEmpty(contents: ResourceContents): boolean {
  return 'text' in contents ? contents.text === '' : sizeOf(contents) === 0;
}

function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}
