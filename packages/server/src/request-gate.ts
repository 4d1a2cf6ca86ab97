import type { JsonRpcError, JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import {
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
  type ProtocolError,
} from '@modelcontextprotocol/server';
import { longUriError } from './protocol-errors.js';
import { MAX_URI_LENGTH } from './resource-uris.js';

/** The revisions of the modern era. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/**
 * The answer to a request of the modern era that must not reach the SDK (2.4.0), if it is one.
 *
 * - A revision that the server does not speak is −32022 on every request (Base Protocol ›
 *   Versioning); the SDK looks at the first one only. Drop this when it looks at all.
 * - An overlong uri in `subscriptions/listen`, which the SDK would keep.
 */
export function refusalOf(message: JsonRpcMessage): JsonRpcError | undefined {
  if (!('method' in message) || !('id' in message) || message.id === undefined) return undefined;
  const { id, params = {} } = message;
  const meta = params['_meta'] as { [key: string]: unknown } | null | undefined;
  const requested = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested === 'string' && !MODERN_VERSIONS.includes(requested)) {
    const supported = [...MODERN_VERSIONS];
    return answer(id, new UnsupportedProtocolVersionError({ supported, requested }));
  }
  if (message.method === 'subscriptions/listen' && hasLongUri(params['notifications'])) {
    return answer(id, longUriError(MAX_URI_LENGTH));
  }
  return undefined;
}

function hasLongUri(filter: unknown): boolean {
  const uris = (filter as { resourceSubscriptions?: unknown } | null | undefined)
    ?.resourceSubscriptions;
  return (
    Array.isArray(uris) &&
    uris.some((uri) => typeof uri === 'string' && uri.length > MAX_URI_LENGTH)
  );
}

function answer(id: RequestId, { code, message, data }: ProtocolError): JsonRpcError {
  const error = { code, message };
  return { jsonrpc: '2.0', id, error: data === undefined ? error : { ...error, data } };
}
