import type { ResourceContents } from '@inpage-mcp/client';

/** The key under which a client with the extension for Blobs gets the bytes (docs/resources.md). */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** How many bytes a content has; of a text about, and at least one for each code unit. */
export function sizeOf(contents: ResourceContents): number {
  if ('text' in contents) return contents.text.length;
  return handleIn(contents)?.size ?? decodedLength(contents.blob);
}

/** Whether there is nothing to show. */
export function isEmpty(contents: ResourceContents): boolean {
  return sizeOf(contents) === 0;
}

/** The bytes of a content that came as a Blob. */
export function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}

/** How many bytes a base64 string stands for, without decoding it. */
function decodedLength(encoded: string): number {
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  return (encoded.length / 4) * 3 - padding;
}
