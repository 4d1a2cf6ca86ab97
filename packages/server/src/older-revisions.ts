import type { JsonRpcMessage } from '@inpage-mcp/transport';
import type { CallToolResult, ContentBlock, GetPromptResult } from '@modelcontextprotocol/server';

/** Since when tools and prompts may answer with these kinds of content. */
const RESOURCE_LINKS_SINCE = '2025-06-18';
const AUDIO_SINCE = '2025-03-26';

/**
 * Writes an answer in the words of an older revision. Fields that it does not know are allowed by
 * every revision; a kind of content is not: a `resource_link` becomes a text that names the
 * resource, `audio` an embedded resource.
 *
 * @param version The negotiated revision; absent in the modern era, and before `initialize`.
 */
export function inWordsOf<Message extends JsonRpcMessage>(
  version: string | undefined,
  method: string | undefined,
  message: Message,
): Message {
  if (version === undefined || version >= RESOURCE_LINKS_SINCE) return message;
  if (!('result' in message)) return message;
  if (method === 'tools/call') {
    const result = message.result as CallToolResult;
    const content = result.content.map((block) => older(block, version));
    return { ...message, result: { ...result, content } };
  }
  if (method !== 'prompts/get') return message;
  const result = message.result as GetPromptResult;
  const messages = result.messages.map((one) => ({
    ...one,
    content: older(one.content, version),
  }));
  return { ...message, result: { ...result, messages } };
}

function older(block: ContentBlock, version: string): ContentBlock {
  if (block.type === 'resource_link') {
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
  }
  if (block.type === 'audio' && version < AUDIO_SINCE) {
    const { data: blob, mimeType } = block;
    // The block says only what it is; an embedded resource has to have some address.
    return { type: 'resource', resource: { uri: 'data:,', mimeType, blob } };
  }
  return block;
}
