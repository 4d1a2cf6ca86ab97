import { AUDIO_SINCE } from '../wire/keys.js';
import type { CallToolResult, ContentBlock, GetPromptResult, Result } from '../wire/types.js';

/** The first revision in which tools and prompts may answer with links. */
const RESOURCE_LINKS_SINCE = '2025-06-18';

/**
 * Converts a result for an older revision. Every revision allows unknown fields, but not unknown
 * kinds of content: a `resource_link` becomes a text that names the resource, `audio` an embedded
 * resource.
 */
export function downgradeResult(result: Result, method: string, revision: string): void {
  if (revision >= RESOURCE_LINKS_SINCE) return;
  const older = (block: ContentBlock): ContentBlock => downgradeBlock(block, revision);
  if (method === 'tools/call') {
    result['content'] = (result as unknown as CallToolResult).content.map(older);
  } else if (method === 'prompts/get') {
    const { messages } = result as unknown as GetPromptResult;
    result['messages'] = messages.map((one) => ({ ...one, content: older(one.content) }));
  }
}

function downgradeBlock(block: ContentBlock, revision: string): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
  }
  if (block.type === 'audio' && revision < AUDIO_SINCE) {
    const { data: blob, mimeType } = block;
    // An audio block has no uri, but an embedded resource must have one.
    return { type: 'resource', resource: { uri: 'data:,', mimeType, blob } };
  }
  return block;
}
