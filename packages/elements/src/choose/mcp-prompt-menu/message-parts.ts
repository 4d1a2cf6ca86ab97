import type { ContentBlock, PromptMessage, ResourceContents } from '@inpage-mcp/client';
import { sizeOf } from '../../reading/content-bytes.js';

/** What is shown of a message: text, an image, or only facts about anything else. */
export type MessagePart = { uri?: string | undefined } & (
  | { kind: 'text'; text: string }
  | { kind: 'image'; contents: ResourceContents }
  | { kind: 'facts'; mimeType: string; sizeBytes: number }
  | { kind: 'link'; name: string }
);

/** Media types that are shown as an image. An SVG is not: drawing it may take long. */
const IMAGE_TYPES: readonly string[] = [
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
];

/** What is shown of a message that was checked before. */
export function partOf({ content }: PromptMessage): MessagePart {
  switch (content.type) {
    case 'text':
      return { kind: 'text', text: content.text };
    case 'resource_link':
      return { kind: 'link', uri: content.uri, name: content.title ?? content.name };
    case 'resource':
      return partOfResource(content.resource);
    default:
      return partOfBytes(content);
  }
}

function partOfResource(contents: ResourceContents): MessagePart {
  const { uri } = contents;
  return 'text' in contents
    ? { kind: 'text', text: contents.text, uri }
    : { ...partOfBlob(contents), uri };
}

function partOfBytes({
  data,
  mimeType,
}: Extract<ContentBlock, { type: 'image' | 'audio' }>): MessagePart {
  return partOfBlob({ uri: '', mimeType, blob: data });
}

function partOfBlob(contents: ResourceContents): MessagePart {
  const { mimeType = 'application/octet-stream' } = contents;
  if (IMAGE_TYPES.includes(mimeType)) return { kind: 'image', contents };
  return { kind: 'facts', mimeType, sizeBytes: Math.round(sizeOf(contents)) };
}
