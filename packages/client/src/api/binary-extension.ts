/**
 * The name of this project's extension for bytes as a `Blob` (docs/resources.md). Client and server
 * declare the extension by this name; it is also the key of the Blob in the `_meta` of a content.
 */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** The key of a byte range, in the `_meta` of a request and of the content in its answer. */
export const RANGE_META_KEY = 'io.github.inpage-mcp/range';

/** A part of the bytes of a resource. */
export interface ByteRange {
  /** The index of the first byte; 0 or more. */
  offset: number;
  /** The maximum number of bytes; 1 or more. The range ends at the end of the resource at the latest. */
  length: number;
}

/** The part that a content contains. */
export interface ContentRange extends ByteRange {
  /** The size of the whole resource, in bytes. */
  size: number;
}
