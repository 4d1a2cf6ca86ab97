import { ANSWERS } from '../results/answer-shapes.js';
import type { Params } from '@inpage-mcp/protocol/types';

/**
 * Whether a request does no harm when the server gets it twice: it reads, as all do that have
 * entries to answer with but `tools/call`; or it calls a tool with an `idempotencyKey`, by which the
 * server knows the call again.
 */
export function isRepeatable(method: string, params: Params): boolean {
  return method === 'tools/call' ? hasKey(params['arguments']) : method in ANSWERS;
}

function hasKey(args: unknown): boolean {
  const { idempotencyKey } = (args ?? {}) as { idempotencyKey?: unknown };
  return typeof idempotencyKey === 'string' && idempotencyKey !== '';
}
