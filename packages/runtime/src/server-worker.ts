import type { Confirm, Control, Outcome, PageEnd } from '@inpage-mcp/server/control-plane';
import { proxy, wrap, type Remote } from 'comlink';
import { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';

/** How long a worker has to answer its first call. */
const START_TIMEOUT_MS = 5_000;

const SILENCE =
  `it did not answer within ${START_TIMEOUT_MS} ms. Does its file call startServer() of ` +
  '@inpage-mcp/server?';

const CAUSES =
  'Likely causes: the file is missing (copy dist/worker.js of @inpage-mcp/runtime beside your ' +
  'bundle or pass `worker`), or the content security policy forbids it (worker-src, ' +
  'require-trusted-types-for).';

/** The default worker. One literal expression, so that bundlers find and emit the file. */
export function createDefaultWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), {
    type: 'module',
    name: 'inpage-mcp',
  });
}

/**
 * The worker, called over comlink. comlink alone waits for ever when its peer dies; here every
 * call settles: with the worker's outcome, or with the reason for which the worker ended.
 */
export class ServerWorker {
  readonly #worker: Worker;
  readonly #control: Remote<Control>;
  readonly #ended: Promise<never>;
  #end!: (reason: RuntimeError) => void;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#control = wrap<Control>(worker);
    this.#ended = new Promise((_resolve, reject) => {
      this.#end = reject;
    });
    this.#ended.catch(() => undefined);
  }

  /**
   * Waits until the worker has opened the database.
   *
   * @throws {RuntimeError} `worker-failed` on the worker's `error` event or after
   *   {@link START_TIMEOUT_MS}; the store's code when it cannot be opened.
   */
  async start(databaseName: string, confirm: Confirm | undefined): Promise<void> {
    const onError = (event: ErrorEvent): void => {
      // It is told to the caller: without this it would be an uncaught error of the page, too.
      event.preventDefault();
      this.terminate(startError(event.message));
    };
    const timer = setTimeout(() => this.terminate(startError(SILENCE)), START_TIMEOUT_MS);
    this.#worker.addEventListener('error', onError);
    try {
      const page: PageEnd = {
        confirm: confirm ?? (() => false),
        report: () => undefined,
      };
      const options = { databaseName, confirms: confirm !== undefined };
      await this.call((control) => control.start(options, proxy(page)));
    } finally {
      clearTimeout(timer);
      this.#worker.removeEventListener('error', onError);
    }
  }

  /** @throws {RuntimeError} what the worker reports, or why it ended. */
  async call<Value>(run: (control: Remote<Control>) => Promise<Outcome<Value>>): Promise<Value> {
    const outcome = await Promise.race([run(this.#control), this.#ended]).catch(toRuntimeError);
    if (outcome.ok) return outcome.value;
    const { code, message } = outcome.error;
    throw new RuntimeError(code as RuntimeErrorCode, message);
  }

  /** Stops the worker at once; calls under way and later ones reject with the reason. */
  terminate(reason: RuntimeError): void {
    this.#worker.terminate();
    this.#end(reason);
  }
}

/** What comlink cannot send, such as a function, is the caller's mistake. */
function toRuntimeError(error: unknown): never {
  if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
  const text = 'An argument holds a value that cannot be sent to the worker.';
  throw new RuntimeError('invalid-argument', text, { cause: error });
}

/** @param detail Empty when the browser says nothing, as it does for a missing script. */
function startError(detail: string): RuntimeError {
  const text = detail || `its script could not be loaded. ${CAUSES}`;
  return new RuntimeError('worker-failed', `The MCP worker did not start: ${text}`);
}

/** Makes the worker, with the same explanation where the browser refuses at once. */
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
