/**
 * The name under which client and server declare that bytes may come as a `Blob`, and the key of a
 * content's `_meta` that holds it; an extension of this project (docs/resources.md).
 */
export const BLOB_EXTENSION = 'io.github.inpage-mcp/blob';

/** The key of a range of bytes, in the `_meta` of a request and of the content that it gets. */
export const RANGE_META_KEY = 'io.github.inpage-mcp/range';

/** A part of the bytes of a resource. */
export interface ByteRange {
  /** Where it begins, in bytes; from 0 on. */
  offset: number;
  /** How many bytes it has at most; from 1 on. What lies behind the end is cut off. */
  length: number;
}

/** The part that came. */
export interface ContentRange extends ByteRange {
  /** How many bytes there are in all. */
  size: number;
}
