import type { JsonRpcError, JsonRpcMessage, JsonRpcRequest } from '@inpage-mcp/transport';
import {
  isJSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
  type ProtocolError,
} from '@modelcontextprotocol/server';
import {
  invalidParams,
  invalidRequestError,
  longUriError,
  tooManySubscriptionsError,
} from './protocol-errors.js';
import { MAX_URI_LENGTH } from './resource-uris.js';
import { listenedUris, MAX_SUBSCRIBED_URIS, type SubscribedUris } from './subscribed-uris.js';

/** The revisions of the modern era. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

/**
 * The error of a request that must not reach the SDK (2.4.0), if it is one.
 *
 * - What the SDK does not take for a request it drops, and its sender would wait for ever.
 * - A revision that the server does not speak is −32022 on every request of the modern era (Base
 *   Protocol › Versioning); the SDK looks at the first one only.
 * - What `subscriptions/listen` names, the SDK keeps, however long and however much it is.
 *
 * Drop the first two when the SDK does them.
 */
export function refusalOf(
  message: JsonRpcMessage,
  era: 'legacy' | 'modern' | undefined,
  subscribed: SubscribedUris,
): JsonRpcError | undefined {
  if (!('method' in message) || !('id' in message) || message.id === undefined) return undefined;
  const error =
    malformed(message) ??
    (era === 'legacy'
      ? undefined
      : (otherRevision(message) ?? overlongFilter(message, subscribed)));
  return error && answer(message, error);
}

function malformed(request: JsonRpcRequest): ProtocolError | undefined {
  if (isJSONRPCRequest(request)) return undefined;
  const isRequest = Object.keys(request).every((key) => MEMBERS.includes(key));
  return isRequest ? invalidParams('Invalid params: _meta') : invalidRequestError();
}

function otherRevision({ params }: JsonRpcRequest): ProtocolError | undefined {
  const meta = params?.['_meta'] as { [key: string]: unknown } | undefined;
  const requested = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return undefined;
  return new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}

function overlongFilter(
  { method, params }: JsonRpcRequest,
  subscribed: SubscribedUris,
): ProtocolError | undefined {
  if (method !== 'subscriptions/listen') return undefined;
  const uris = listenedUris(params);
  if ([...uris].some((uri) => uri.length > MAX_URI_LENGTH)) return longUriError(MAX_URI_LENGTH);
  const isTooMany = subscribed.size + uris.size > MAX_SUBSCRIBED_URIS;
  return isTooMany ? tooManySubscriptionsError(MAX_SUBSCRIBED_URIS) : undefined;
}

function answer({ id }: JsonRpcRequest, { code, message, data }: ProtocolError): JsonRpcError {
  const error = { code, message };
  return { jsonrpc: '2.0', id, error: data === undefined ? error : { ...error, data } };
}
