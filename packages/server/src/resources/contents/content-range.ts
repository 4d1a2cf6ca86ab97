import { ErrorCode, invalidParams, ProtocolError } from '@inpage-mcp/protocol';
import { RANGE_META_KEY } from './binary-extension.js';

/** A part of the bytes of a content. */
export interface ByteRange {
  /** Where it begins, in bytes; from 0 on. */
  offset: number;
  /** How many bytes it has at most; from 1 on. What lies behind the end is cut off. */
  length: number;
}

/**
 * The range that a request asks for, if it asks for one.
 *
 * @throws {ProtocolError} −32602 for one that is malformed.
 */
export function rangeIn(meta: { [key: string]: unknown } | undefined): ByteRange | undefined {
  const range = meta?.[RANGE_META_KEY];
  if (range === undefined) return undefined;
  const { offset, length } = (range ?? {}) as { [key in keyof ByteRange]?: unknown };
  if (isWhole(offset, 0) && isWhole(length, 1)) return { offset, length };
  throw invalidParams(
    `Invalid params: _meta.${RANGE_META_KEY}: an offset from 0 and a length from 1 on, in bytes`,
  );
}

/**
 * These bytes of a content, which is not read.
 *
 * @throws {ProtocolError} −32602 with `data: { uri, size }` when it ends before they begin.
 */
export function cut(uri: string, bytes: Blob, { offset, length }: ByteRange): Blob {
  const { size } = bytes;
  if (offset < size) return bytes.slice(offset, Math.min(offset + length, size));
  const text = `The range begins at or behind the end: the resource has ${size} bytes.`;
  throw invalidParams(text, { uri, size });
}

/** The range does not fit into a message: −32603. Sizes in bytes. */
export function tooLargeRangeError(uri: string, size: number, limit: number): ProtocolError {
  const text = `The range has ${size} bytes; at most ${limit} are sent inside a message.`;
  return new ProtocolError(ErrorCode.InternalError, text, { uri, size, limit });
}

/** The resource has several contents, or those of others: no range of them can be meant. −32602. */
export function noRangesError(): ProtocolError {
  return invalidParams('Only a resource with one content of its own is read in ranges.');
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}
