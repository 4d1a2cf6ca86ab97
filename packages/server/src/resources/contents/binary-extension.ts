import type {
  BlobResourceContents,
  ClientCapabilities,
  ResourceContents,
} from '@inpage-mcp/protocol';

/**
 * The binary fast path: the name of the extension in the capabilities of both sides, and the key
 * of a content's `_meta` that holds its bytes as a `Blob` (docs/resources.md).
 */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/**
 * The key of a range of bytes: in the `_meta` of `resources/read` the one that is wanted, in the
 * `_meta` of its content the one that it is.
 */
export const RANGE_META_KEY = 'io.github.inpage-mcp/range';

/** Whether a client takes Blobs. */
export function takesBlobs({ extensions }: ClientCapabilities): boolean {
  return extensions !== undefined && Object.hasOwn(extensions, BLOB_EXTENSION);
}

/**
 * A content by the handle of its bytes, which are not read. This is what a provider answers with
 * for anything that may be large: the server makes of it what the client understands, or a part.
 */
export function blobContents(uri: string, mimeType: string, bytes: Blob): BlobResourceContents {
  return { uri, mimeType, blob: '', _meta: handleMeta(bytes) };
}

/**
 * Bytes as they stand in the `_meta` of a content. The handle has no type: a Blob of HTML behind
 * an object URL is a document of the origin that opens it. What it is stands in `mimeType`.
 */
export function handleMeta(bytes: Blob): { [BLOB_EXTENSION]: Blob } {
  return { [BLOB_EXTENSION]: bytes.slice(0, bytes.size) };
}

/** The handle that {@link handleMeta} has put into a content. */
export function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}

/** A content's `_meta` without the handle; absent when nothing else is in it. */
export function metaWithoutHandle({ _meta }: ResourceContents): Pick<ResourceContents, '_meta'> {
  const { [BLOB_EXTENSION]: _handle, ...meta } = _meta ?? {};
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}
