import type { CallToolResult, Resource, ResourceContents } from '@inpage-mcp/client';
import { BLOB_EXTENSION } from '../../reading/content-size.js';
import { amountOf, fieldsOf, textOf, usableEntries, type Fields } from '../../reading/gate.js';

/** A part of a result, of the types that it says. */
export type UsableBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly data: string; readonly mimeType: string | undefined }
  | { readonly kind: 'link'; readonly resource: Resource }
  | { readonly kind: 'resource'; readonly contents: ResourceContents };

/** The result of a tool, as far as it can be shown. */
export interface UsableResult {
  readonly blocks: readonly UsableBlock[];
  readonly structured: unknown;
  readonly isError: boolean;
  /** How many parts cannot be shown. */
  readonly unusable: number;
}

/** Checks a result: a client that checks nothing may deliver anything. */
export function usableResult(result: CallToolResult): UsableResult {
  const { content, structuredContent, isError, unusable } = fieldsOf(result);
  const [blocks, lost] = Array.isArray(content)
    ? usableEntries(content, usableBlock)
    : [[], content === undefined ? 0 : 1];
  return {
    blocks,
    structured: structuredContent,
    isError: isError === true,
    unusable: (amountOf(unusable) ?? 0) + lost,
  };
}

function usableBlock(block: Fields): UsableBlock | undefined {
  const { type, text, data, resource } = block;
  if (type === 'text') return typeof text === 'string' ? { kind: 'text', text } : undefined;
  if (type === 'image' || type === 'audio')
    return typeof data === 'string'
      ? { kind: 'bytes', data, mimeType: textOf(block['mimeType']) }
      : undefined;
  if (type === 'resource_link') return linkOf(block);
  if (type !== 'resource') return undefined;
  const contents = contentsOf(fieldsOf(resource));
  return contents && { kind: 'resource', contents };
}

function linkOf({
  uri,
  name,
  title,
  description,
  mimeType,
  size,
}: Fields): UsableBlock | undefined {
  if (typeof uri !== 'string') return undefined;
  const resource: Resource = {
    uri,
    name: textOf(name) ?? uri,
    title: textOf(title),
    description: textOf(description),
    mimeType: textOf(mimeType),
    size: amountOf(size),
  };
  return { kind: 'link', resource };
}

function contentsOf({ uri, mimeType, text, blob, _meta }: Fields): ResourceContents | undefined {
  if (typeof uri !== 'string') return undefined;
  const shared = { uri, mimeType: textOf(mimeType) };
  if (typeof text === 'string') return { ...shared, text };
  if (typeof blob !== 'string') return undefined;
  const handle = fieldsOf(_meta)[BLOB_EXTENSION];
  return {
    ...shared,
    blob,
    ...(handle instanceof Blob && { _meta: { [BLOB_EXTENSION]: handle } }),
  };
}
