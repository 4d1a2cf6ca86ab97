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
import { isRequest } from './open-requests.js';
import { MAX_ID_LENGTH } from './refusals.js';
import type { ConnectionLimits } from './limits.js';
import { listenedUris, type SubscribedUris } from './subscribed-uris.js';

/** The revisions of the modern era. */
const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

const METHODS_WITH_URI: readonly string[] = [
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
];

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

/**
 * The error of a request that must not reach the SDK (2.4.0), if it is one.
 *
 * - What the SDK does not take for a request it drops, and its sender would wait for ever.
 * - A revision that the server does not speak is −32022 on every request of the modern era (Base
 *   Protocol › Versioning); the SDK looks at the first one only.
 * - Each notification of progress repeats its token, however long it is.
 * - What `subscriptions/listen` names, the SDK keeps, however long and however much it is.
 * - Of the answers of a user, the SDK makes one under `__proto__` the prototype of the others.
 *
 * Drop all but the third and the fourth when the SDK does them.
 */
export function refusalOf(
  message: JsonRpcMessage,
  era: 'legacy' | 'modern' | undefined,
  { limits, subscribed }: { limits: ConnectionLimits; subscribed: SubscribedUris },
): JsonRpcError | undefined {
  if (!isRequest(message)) return undefined;
  const error =
    malformed(message) ??
    prototypeResponse(message) ??
    overlongToken(message) ??
    (era === 'legacy' ? undefined : otherRevision(message)) ??
    overlongUri(message, limits.uriLength) ??
    (era === 'legacy' ? undefined : overlongFilter(message, subscribed));
  return error && answer(message, error);
}

function malformed(request: JsonRpcRequest): ProtocolError | undefined {
  if (isJSONRPCRequest(request)) return undefined;
  const isKnown = Object.keys(request).every((key) => MEMBERS.includes(key));
  return isKnown ? invalidParams('Invalid params: _meta') : invalidRequestError();
}

/** The SDK copies what the user has answered key by key; this key would set a prototype. */
function prototypeResponse({ params }: JsonRpcRequest): ProtocolError | undefined {
  const responses = params?.['inputResponses'];
  if (typeof responses !== 'object' || responses === null) return undefined;
  if (!Object.hasOwn(responses, '__proto__')) return undefined;
  return invalidParams('Invalid params: inputResponses');
}

function overlongToken({ params }: JsonRpcRequest): ProtocolError | undefined {
  const meta = params?.['_meta'] as { progressToken?: unknown } | undefined;
  const token = meta?.progressToken;
  if (typeof token !== 'string' || token.length <= MAX_ID_LENGTH) return undefined;
  const limit = `longer than ${MAX_ID_LENGTH} UTF-16 code units`;
  return invalidParams(`Invalid params: _meta.progressToken: ${limit}`);
}

function otherRevision({ params }: JsonRpcRequest): ProtocolError | undefined {
  const meta = params?.['_meta'] as { [key: string]: unknown } | undefined;
  const requested = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return undefined;
  return new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}

function overlongUri({ method, params }: JsonRpcRequest, limit: number): ProtocolError | undefined {
  return namedUris(method, params).some((uri) => uri.length > limit)
    ? longUriError(limit)
    : undefined;
}

/** The uris that a request is about; a template counts as one. */
function namedUris(method: string, params: JsonRpcRequest['params']): string[] {
  if (method === 'subscriptions/listen') return [...listenedUris(params)];
  const ref = params?.['ref'] as { uri?: unknown } | undefined;
  const uri = method === 'completion/complete' ? ref?.uri : params?.['uri'];
  return METHODS_WITH_URI.includes(method) && typeof uri === 'string' ? [uri] : [];
}

function overlongFilter(
  { method, params }: JsonRpcRequest,
  subscribed: SubscribedUris,
): ProtocolError | undefined {
  if (method !== 'subscriptions/listen') return undefined;
  if (subscribed.hasRoomFor(listenedUris(params))) return undefined;
  return tooManySubscriptionsError(subscribed.limit);
}

function answer({ id }: JsonRpcRequest, { code, message, data }: ProtocolError): JsonRpcError {
  const error = { code, message };
  return { jsonrpc: '2.0', id, error: data === undefined ? error : { ...error, data } };
}
