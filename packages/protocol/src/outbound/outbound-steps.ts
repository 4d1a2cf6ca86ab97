import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import type { PendingCall } from '../calls/pending-call.js';
import {
  cutText,
  ErrorCode,
  ResourceNotFoundError,
  type ErrorObject,
  type ProtocolError,
} from '../wire/errors.js';
import { META } from '../wire/keys.js';
import type { Implementation, Meta, Result } from '../wire/types.js';
import { downgradeResult } from './older-revisions.js';

/** The steps of an outbound result, in this order; each adds what its revision requires. */
const OUTBOUND_STEPS: readonly ((
  result: Result,
  call: PendingCall,
  server: Implementation,
) => void)[] = [setResultType, setCacheHints, setServerInfo, downgradeForRevision];

/** The methods whose results can be cached (2026-07-28, Caching). */
const CACHEABLE: readonly string[] = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];

/** The answer to a call, as its revision requires. */
export function resultAnswer(
  call: PendingCall,
  result: object,
  server: Implementation,
): JsonRpcResult {
  const sent: Result = { ...result };
  for (const step of OUTBOUND_STEPS) step(sent, call, server);
  return { jsonrpc: '2.0', id: call.id, result: sent };
}

/** The answer to a failed call, as its revision requires. */
export function errorAnswer({ id, era, method }: PendingCall, error: ProtocolError): JsonRpcError {
  const sent: ErrorObject = { ...error.toErrorObject(), message: cutText(error.message) };
  const isLegacyMissing =
    era === 'legacy' && method === 'resources/read' && error instanceof ResourceNotFoundError;
  if (isLegacyMissing) sent.code = ErrorCode.ResourceNotFound;
  // The modern era no longer has this code, even if an app throws it.
  const isOld = era === 'modern' && sent.code === ErrorCode.ResourceNotFound;
  if (isOld) sent.code = ErrorCode.InvalidParams;
  return { jsonrpc: '2.0', id, error: sent };
}

/** The result with which a stream ends (Utilities › Subscriptions). */
export function endOfStream({ id }: PendingCall): object {
  return { _meta: { [META.subscriptionId]: id } };
}

function setResultType(result: Result, { era }: PendingCall): void {
  if (era === 'modern') result['resultType'] ??= 'complete';
}

function setCacheHints(result: Result, { era, method }: PendingCall): void {
  if (era === 'legacy' || result['resultType'] !== 'complete' || !CACHEABLE.includes(method))
    return;
  result['ttlMs'] ??= 0;
  result['cacheScope'] ??= 'private';
}

function setServerInfo(result: Result, { era }: PendingCall, server: Implementation): void {
  if (era === 'legacy') return;
  result['_meta'] = { [META.serverInfo]: server, ...(result['_meta'] as Meta | undefined) };
}

function downgradeForRevision(result: Result, { era, method, revision }: PendingCall): void {
  if (era === 'legacy') downgradeResult(result, method, revision);
}
