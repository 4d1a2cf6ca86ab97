import { ANSWERS } from '../results/answer-shapes.js';
import type { Params } from '@inpage-mcp/protocol/types';

/**
 * Whether a request may be sent twice without harm: it only reads, as all requests in `ANSWERS`
 * except `tools/call`; or it calls a tool with an `idempotencyKey`, by which the server recognizes
 * the repetition.
 */
export function isRetryable(method: string, params: Params): boolean {
  return method === 'tools/call' ? hasKey(params['arguments']) : method in ANSWERS;
}

function hasKey(args: unknown): boolean {
  const { idempotencyKey } = (args ?? {}) as { idempotencyKey?: unknown };
  return typeof idempotencyKey === 'string' && idempotencyKey !== '';
}
