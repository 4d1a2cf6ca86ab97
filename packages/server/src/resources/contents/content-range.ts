import { ErrorCode, invalidParams, ProtocolError } from '@inpage-mcp/protocol';
import { RANGE_META_KEY } from './binary-extension.js';

/** A part of the bytes of a content. */
export interface ByteRange {
  /** The start of the part, in bytes; at least 0. */
  offset: number;
  /** The maximum length of the part, in bytes; at least 1. It ends at the end of the content. */
  length: number;
}

/**
 * The range in the `_meta` of a request, if it has one.
 *
 * @throws {ProtocolError} −32602 if the range is malformed.
 */
export function rangeIn(meta: { [key: string]: unknown } | undefined): ByteRange | undefined {
  const range = meta?.[RANGE_META_KEY];
  if (range === undefined) return undefined;
  const { offset, length } = (range ?? {}) as { [key in keyof ByteRange]?: unknown };
  if (isIntegerFrom(offset, 0) && isIntegerFrom(length, 1)) return { offset, length };
  throw invalidParams(
    `Invalid params: _meta.${RANGE_META_KEY}: an offset from 0 and a length from 1 on, in bytes`,
  );
}

/**
 * A range of the bytes of a content, which is not read.
 *
 * @throws {ProtocolError} −32602 with `data: { uri, size }` if the range begins after the end. One that begins
 *   at 0 is valid for empty bytes, too.
 */
export function cut(uri: string, bytes: Blob, { offset, length }: ByteRange): Blob {
  const { size } = bytes;
  if (offset < size || offset === 0) return bytes.slice(offset, Math.min(offset + length, size));
  const text = `The range begins at or after the end: the resource has ${size} bytes.`;
  throw invalidParams(text, { uri, size });
}

/** The error −32603: the range does not fit into a message. Sizes in bytes. */
export function tooLargeRangeError(uri: string, size: number, limit: number): ProtocolError {
  const text = `The range has ${size} bytes; at most ${limit} are sent inside a message.`;
  return new ProtocolError(ErrorCode.InternalError, text, { uri, size, limit });
}

/** The error −32602: a resource with several contents, or contents of other uris, has no ranges. */
export function noRangesError(): ProtocolError {
  return invalidParams('Only a resource with one content of its own can be read in ranges.');
}

function isIntegerFrom(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}
