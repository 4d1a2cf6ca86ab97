import type { Params } from './rpc-connection.js';

const READS = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/**
 * Whether a request does no harm when the server gets it twice: it reads, or it calls a tool with
 * an `idempotencyKey`, by which the server knows the call again.
 */
export function isRepeatable(method: string, params: Params): boolean {
  return READS.has(method) || (method === 'tools/call' && hasKey(params['arguments']));
}

function hasKey(args: unknown): boolean {
  const { idempotencyKey } = (args ?? {}) as { idempotencyKey?: unknown };
  return typeof idempotencyKey === 'string' && idempotencyKey !== '';
}
