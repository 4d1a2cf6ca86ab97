import type { ResourceContents } from '@inpage-mcp/client';
import type { Slices } from './slices.js';
import { decodeBase64, decodedLength } from './base64.js';

/** Where a client with the extension for Blobs gets the bytes (docs/resources.md). */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** A content as a Blob without a type. Rejects for base64 that is none. */
export async function blobOf(contents: ResourceContents, slices: Slices): Promise<Blob> {
  if ('text' in contents) return new Blob([contents.text]);
  // The bytes of a handle are not read.
  return handleIn(contents) ?? new Blob(await decodeBase64(contents.blob, slices));
}

/** How many bytes a content has; of a text about, and at least one for each code unit. */
export function sizeOf(contents: ResourceContents): number {
  if ('text' in contents) return contents.text.length;
  return handleIn(contents)?.size ?? decodedLength(contents.blob);
}

/** Whether there is nothing to show. */
export function isEmpty(contents: ResourceContents): boolean {
  return sizeOf(contents) === 0;
}

function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}
