import type { McpClient, ReadResourceResult, ResourceContents } from '@inpage-mcp/client';
import { blobOf } from './content-bytes.js';
import { Slices } from './slices.js';
import { amountOf, fieldsOf, usableReading } from './usable-answers.js';

/** Where a content says which of its bytes it has (docs/resources.md, Ranges). */
const RANGE_KEY = 'io.github.inpage-mcp/range';

/** A text of which only the beginning was read. Sizes in bytes. */
export interface TextPart {
  loaded: number;
  size: number;
}

/** What a resource has, as far as it was read. */
export interface PartialReading {
  result: ReadResourceResult;
  /** Set if it is only the beginning of a text. */
  part?: TextPart | undefined;
}

/**
 * Reads the first bytes of a text, and anything else as a whole. The server must support ranges; one
 * that ignores them sends the whole text.
 */
export async function readBeginning(
  client: McpClient,
  uri: string,
  length: number,
  signal: AbortSignal,
): Promise<PartialReading> {
  const result = await readRange(client, uri, length, signal);
  const [content] = result?.contents ?? [];
  const range = fieldsOf(content?._meta?.[RANGE_KEY]);
  const size = amountOf(range['size']);
  // The answer has all bytes, or the server has ignored the range.
  if (result && content && size === undefined) return { result };
  const isText = isTextType(content?.mimeType);
  const part = content && isText ? await textIn(content, signal, size) : undefined;
  if (!result || !content || !part) {
    return { result: usableReading(await client.readResource(uri, { signal })) };
  }
  const { uri: address, mimeType, _meta } = content;
  const { text, loaded } = part;
  return {
    result: { ...result, contents: [{ uri: address, mimeType, _meta, text }] },
    part: size && size > loaded ? { loaded, size } : undefined,
  };
}

/** The beginning of a text, which came as bytes; `undefined` if they are not UTF-8. */
async function textIn(
  content: ResourceContents,
  signal: AbortSignal,
  size: number | undefined,
): Promise<{ text: string; loaded: number } | undefined> {
  try {
    const blob = await blobOf(content, new Slices(signal, () => undefined));
    const text = decode(await blob.arrayBuffer(), blob.size === size);
    return { text, loaded: blob.size };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** `undefined` if the resource has no ranges: a folder, or one without bytes. */
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

/** The types that servers send as text. */
function isTextType(mimeType = ''): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|ecmascript|sql|toml|x-sh|x-yaml|x-ndjson)\b|^image\/svg/.test(
    mimeType,
  );
}

/** UTF-8 as text, without a character that the range has cut. Throws if it is not UTF-8. */
function decode(bytes: ArrayBuffer, isWhole: boolean): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes, { stream: !isWhole });
}
