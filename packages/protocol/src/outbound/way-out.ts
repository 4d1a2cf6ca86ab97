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
import { useOlderWords } from './older-revisions.js';

/** What a result passes on its way out, in this order; each step adds what its revision wants. */
const WAY_OUT: readonly ((result: Result, call: PendingCall, server: Implementation) => void)[] = [
  sayWhetherComplete,
  sayHowLongItHolds,
  nameServer,
  useOlderWordsOf,
];

/** Those whose results can be kept (2026-07-28, Caching). */
const CACHEABLE: readonly string[] = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];

/** The answer to a call, in the words of its revision. */
export function resultAnswer(
  call: PendingCall,
  result: object,
  server: Implementation,
): JsonRpcResult {
  const dressed: Result = { ...result };
  for (const step of WAY_OUT) step(dressed, call, server);
  return { jsonrpc: '2.0', id: call.id, result: dressed };
}

/** The answer to a call that failed, in the words of its revision. */
export function errorAnswer({ id, era, method }: PendingCall, error: ProtocolError): JsonRpcError {
  const said: ErrorObject = { ...error.toErrorObject(), message: cutText(error.message) };
  const isLegacyMissing =
    era === 'legacy' && method === 'resources/read' && error instanceof ResourceNotFoundError;
  if (isLegacyMissing) said.code = ErrorCode.ResourceNotFound;
  // The modern era has it no more, even if an app throws it.
  const isOld = era === 'modern' && said.code === ErrorCode.ResourceNotFound;
  if (isOld) said.code = ErrorCode.InvalidParams;
  return { jsonrpc: '2.0', id, error: said };
}

/** The result with which a stream ends (Utilities › Subscriptions). */
export function endOfStream({ id }: PendingCall): object {
  return { _meta: { [META.subscriptionId]: id } };
}

function sayWhetherComplete(result: Result, { era }: PendingCall): void {
  if (era === 'modern') result['resultType'] ??= 'complete';
}

function sayHowLongItHolds(result: Result, { era, method }: PendingCall): void {
  if (era === 'legacy' || result['resultType'] !== 'complete' || !CACHEABLE.includes(method))
    return;
  result['ttlMs'] ??= 0;
  result['cacheScope'] ??= 'private';
}

function nameServer(result: Result, { era }: PendingCall, server: Implementation): void {
  if (era === 'legacy') return;
  result['_meta'] = { [META.serverInfo]: server, ...(result['_meta'] as Meta | undefined) };
}

function useOlderWordsOf(result: Result, { era, method, revision }: PendingCall): void {
  if (era === 'legacy') useOlderWords(result, method, revision);
}
