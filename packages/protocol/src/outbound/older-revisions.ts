import type { CallToolResult, ContentBlock, GetPromptResult, Result } from '../wire/types.js';

/** Since when tools and prompts may answer with these kinds of content. */
const RESOURCE_LINKS_SINCE = '2025-06-18';
const AUDIO_SINCE = '2025-03-26';

/**
 * Writes a result in the words of an older revision. Fields that it does not know are allowed by
 * every revision; a kind of content is not: a `resource_link` becomes a text that names the
 * resource, `audio` an embedded resource.
 */
export function useOlderWords(result: Result, method: string, revision: string): void {
  if (revision >= RESOURCE_LINKS_SINCE) return;
  const older = (block: ContentBlock): ContentBlock => olderBlock(block, revision);
  if (method === 'tools/call') {
    result['content'] = (result as unknown as CallToolResult).content.map(older);
  } else if (method === 'prompts/get') {
    const { messages } = result as unknown as GetPromptResult;
    result['messages'] = messages.map((one) => ({ ...one, content: older(one.content) }));
  }
}

function olderBlock(block: ContentBlock, revision: string): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
  }
  if (block.type === 'audio' && revision < AUDIO_SINCE) {
    const { data: blob, mimeType } = block;
    // The block says only what it is; an embedded resource has to have some address.
    return { type: 'resource', resource: { uri: 'data:,', mimeType, blob } };
  }
  return block;
}
