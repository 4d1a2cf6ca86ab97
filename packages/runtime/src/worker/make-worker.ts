import { RuntimeError } from './runtime-error.js';

const CAUSES =
  'Likely causes: the file is missing (copy dist/worker.js of @inpage-mcp/runtime beside your ' +
  'bundle or pass `worker`; in vite add @inpage-mcp/runtime to optimizeDeps.exclude), the content ' +
  'security policy forbids it (worker-src, or require-trusted-types-for where the policy ' +
  'inpage-mcp is not among trusted-types), or it is on another origin (that needs CORS, and blob: ' +
  'and that origin in worker-src).';

/** A hint for a worker that does not answer. */
export const NO_ANSWER_HINT = 'Does its file call startServer() of @inpage-mcp/server?';

/**
 * The source of a worker: a worker, or a function that creates one; see `worker` of the options of a runtime.
 */
export type WorkerSource = Worker | ((build?: string) => Worker);

/**
 * Creates the worker. If the browser refuses it immediately, the error explains likely causes.
 *
 * @param build The build of this page, if the first worker was of another one.
 * @throws {TypeError} if the source is neither a worker nor a function.
 * @throws {RuntimeError} `worker-failed`, with the exception of the function as its cause, or if the
 *   function returns something else.
 */
export function makeWorker(source: WorkerSource, build?: string): Worker {
  if (typeof source !== 'function') {
    if (isWorker(source)) return source;
    throw new TypeError('`worker` must be a Worker or a function that makes one.');
  }
  const text = 'The worker of this page could not be created.';
  let made: unknown;
  try {
    made = source(build);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new RuntimeError('worker-failed', text, { cause, hint: `${detail} ${CAUSES}` });
  }
  if (isWorker(made)) return made;
  const hint = 'The function `worker` must return a Worker, and not a promise or a SharedWorker.';
  throw new RuntimeError('worker-failed', text, { hint });
}

function isWorker(value: unknown): value is Worker {
  return typeof value === 'object' && value !== null && 'terminate' in value;
}

/** @param thrown The exception of its script; empty if the script could not be loaded. */
export function startError(thrown: string): RuntimeError {
  const text = 'The worker of this page did not start';
  if (thrown) return new RuntimeError('worker-failed', `${text}: its script failed (${thrown}).`);
  const message = `${text}: its script could not be loaded. Check the connection, then reload the page.`;
  return new RuntimeError('worker-failed', message, { hint: CAUSES });
}

/** Whether an error reports a script that could not be loaded. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof RuntimeError && error.hint === CAUSES;
}

/** The error of a worker that runs but does not answer. */
export function silentError(timeoutMs: number): RuntimeError {
  const text = `The worker of this page did not start: it runs, but did not answer within ${timeoutMs / 1000} seconds.`;
  return new RuntimeError('worker-failed', text, { hint: NO_ANSWER_HINT });
}
