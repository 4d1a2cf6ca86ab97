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
 * The key of a range of bytes: the requested range in the `_meta` of `resources/read`, the sent
 * range in the `_meta` of its content.
 */
export const RANGE_META_KEY = 'io.github.inpage-mcp/range';

/** The key of a content's `_meta` that names the encoding of a text whose bytes are not UTF-8. */
export const ENCODING_META_KEY = 'io.github.inpage-mcp/encoding';

/** Whether a client accepts Blobs. */
export function takesBlobs({ extensions }: ClientCapabilities): boolean {
  return extensions !== undefined && Object.hasOwn(extensions, BLOB_EXTENSION);
}

/**
 * A content with a handle to its bytes, which are not read. A provider returns this for any content that may
 * be large: the server sends it in a form that the client understands, or a range of it.
 */
export function blobContents(uri: string, mimeType: string, bytes: Blob): BlobResourceContents {
  return { uri, mimeType, blob: '', _meta: handleMeta(bytes) };
}

/**
 * The `_meta` of a content with a handle to its bytes. The handle has no type: a Blob of HTML
 * behind an object URL is a document of the origin that opens it. The type is in `mimeType`.
 */
export function handleMeta(bytes: Blob): { [BLOB_EXTENSION]: Blob } {
  return { [BLOB_EXTENSION]: bytes.slice(0, bytes.size) };
}

/** The handle that {@link handleMeta} has added to a content. */
export function handleIn({ _meta }: ResourceContents): Blob | undefined {
  const handle = _meta?.[BLOB_EXTENSION];
  return handle instanceof Blob ? handle : undefined;
}

/** A content's `_meta` without the handle; absent if it would be empty. */
export function metaWithoutHandle({ _meta }: ResourceContents): Pick<ResourceContents, '_meta'> {
  const { [BLOB_EXTENSION]: _handle, ...meta } = _meta ?? {};
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}
