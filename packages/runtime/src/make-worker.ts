import { RuntimeError } from './runtime-error.js';

const CAUSES =
  'Likely causes: the file is missing (copy dist/worker.js of @inpage-mcp/runtime beside your ' +
  'bundle or pass `worker`), or the content security policy forbids it (worker-src, ' +
  'or require-trusted-types-for where the policy inpage-mcp is not among trusted-types).';

/**
 * Makes the worker, with an explanation where the browser refuses at once.
 *
 * @throws {TypeError} for what is neither a worker nor a function.
 * @throws {RuntimeError} `worker-failed` with what the function throws as its cause.
 */
export function makeWorker(source: Worker | (() => Worker)): Worker {
  if (typeof source !== 'function') {
    if (typeof source === 'object' && 'postMessage' in source) return source;
    throw new TypeError('`worker` must be a Worker or a function that makes one.');
  }
  try {
    return source();
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new RuntimeError(
      'worker-failed',
      `The MCP worker could not be made: ${detail} ${CAUSES}`,
      { cause },
    );
  }
}

/** @param detail Empty when the browser says nothing, as it does for a missing script. */
export function startError(detail: string): RuntimeError {
  const text = detail || `its script could not be loaded. ${CAUSES}`;
  return new RuntimeError('worker-failed', `The MCP worker did not start: ${text}`);
}
