import type { JsonRpcMessage } from '@inpage-mcp/transport';
import { SERVER_INFO_META_KEY, type Implementation } from '@modelcontextprotocol/server';

/**
 * Leaves the icons of the server to `server/discover`: the SDK names the server in every result of
 * the modern era, as it should, but with everything that is known of it.
 */
export function namedBriefly(method: string | undefined, message: JsonRpcMessage): JsonRpcMessage {
  if (!('result' in message) || method === 'server/discover') return message;
  const meta = message.result['_meta'] as { [key: string]: unknown } | undefined;
  const server = meta?.[SERVER_INFO_META_KEY] as Implementation | undefined;
  if (!server?.icons) return message;
  const { icons: _icons, ...brief } = server;
  const _meta = { ...meta, [SERVER_INFO_META_KEY]: brief };
  return { ...message, result: { ...message.result, _meta } };
}
