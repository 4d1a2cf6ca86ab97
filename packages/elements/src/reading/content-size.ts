import type { ResourceContents } from '@inpage-mcp/client';

/** The key under which a client with the extension for Blobs gets the bytes (docs/resources.md). */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** The size of a content in bytes; for a text an estimate, with at least one byte for each code unit. */
export function sizeOf(contents: ResourceContents): number {
  if ('text' in contents) return contents.text.length;
  return handleIn(contents)?.size ?? decodedLength(contents.blob);
}

/** Whether the content has nothing to show. */
export function isEmpty(contents: ResourceContents): boolean {
  return sizeOf(contents) === 0;
}

/** The bytes of a content that was delivered as a Blob. */
export function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}

/** The number of bytes that a base64 string represents, without decoding it. */
function decodedLength(encoded: string): number {
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  return (encoded.length / 4) * 3 - padding;
}
