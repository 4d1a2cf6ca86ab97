import type { ResourceContents } from '@inpage-mcp/client';
import { decodeBase64 } from './base64.js';
import { handleIn } from './content-size.js';
import type { Slices } from './slices.js';

export { sizeOf } from './content-size.js';

/** A content as a Blob without a type. Rejects for base64 that is none. */
export async function blobOf(contents: ResourceContents, slices: Slices): Promise<Blob> {
  // The bytes of a handle are not read. A decoded text has one, too.
  const handle = handleIn(contents);
  if (handle) return handle;
  if ('text' in contents) return new Blob([contents.text]);
  return new Blob(await decodeBase64(contents.blob, slices));
}
