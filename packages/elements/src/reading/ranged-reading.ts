import type { McpClient, ReadResourceResult } from '@inpage-mcp/client';
import { isTextType } from '@inpage-mcp/encoding';
import { sizeOf } from './content-size.js';
import { decodeContents, type ReadEncoding } from './decoded-contents.js';
import { amountOf, fieldsOf, usableReading } from './gate.js';

/** The key under which a content names the range of its bytes (docs/resources.md, Ranges). */
const RANGE_KEY = 'io.github.inpage-mcp/range';

/** A text of which only the beginning was read. Sizes in bytes. */
export interface TextPart {
  loaded: number;
  size: number;
}

/** The contents of a resource that were read. */
export interface PartialReading {
  result: ReadResourceResult;
  /** Set if it is only the beginning of a text. */
  part?: TextPart | undefined;
  /** Set if it has a text that is not UTF-8. */
  encoding?: ReadEncoding | undefined;
}

/** The options for reading a beginning. */
interface Options {
  /** The length in bytes. */
  length: number;
  /** The encoding of texts that do not state theirs. Default: a guess. */
  encoding: string | undefined;
  signal: AbortSignal;
}

/**
 * Reads the first bytes of a text, and any other content completely. The server must support ranges; one that
 * ignores them sends the whole text.
 */
export async function readBeginning(
  client: McpClient,
  uri: string,
  { length, encoding, signal }: Options,
): Promise<PartialReading> {
  const result = await readRange(client, uri, length, signal);
  const [content] = result?.contents ?? [];
  const range = fieldsOf(content?._meta?.[RANGE_KEY]);
  const size = amountOf(range['size']);
  // The answer has all bytes, or the server has ignored the range.
  if (result && content && size === undefined) return { result };
  if (result && content && size !== undefined && isTextType(content.mimeType ?? '')) {
    const loaded = sizeOf(content);
    const isCut = loaded < size;
    const decoded = await decodeContents(result, { encoding, isCut, signal });
    if (decoded.result.contents.every((one) => 'text' in one))
      return { ...decoded, part: isCut ? { loaded, size } : undefined };
  }
  return { result: usableReading(await client.readResource(uri, { signal })) };
}

/** Reads a range; `undefined` if the resource has no ranges: a folder, or one without bytes. */
async function readRange(
  client: McpClient,
  uri: string,
  length: number,
  signal: AbortSignal,
): Promise<ReadResourceResult | undefined> {
  try {
    return usableReading(await client.readResource(uri, { range: { offset: 0, length }, signal }));
  } catch (error) {
    const { code, data } = fieldsOf(error);
    const { uri: missing, size } = fieldsOf(data);
    const isMissing = missing !== undefined && size === undefined;
    if (code !== -32602 || isMissing) throw error;
    return undefined;
  }
}
