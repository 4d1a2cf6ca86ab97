import { ClientError } from '../api/client-error.js';
import type { Elicit } from '../api/elicitation-types.js';
import { startTimer, timeoutError } from '../connection/pending-waits.js';
import {
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TOTAL_TIMEOUT_MS,
  type CallOptions,
} from '../api/request-options.js';
import type { ClientConnection } from '../connection/client-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';

/**
 * Requests that the server may answer with questions to the user: the client sends the same request
 * again, with the answers (Patterns › Multi Round-Trip Requests).
 *
 * Each round is a separate request. If the connection is lost between two rounds, while the user is
 * asked, no request is pending: the server has answered, and `requestState` returns all the state
 * that it needs. So the next round uses the new connection, even for a write without an idempotency
 * key, and a server that does not know the question asks again.
 */
export class RoundTrips {
  readonly #connection: ClientConnection;
  readonly #elicit: Elicit | undefined;

  constructor(connection: ClientConnection, elicit: Elicit | undefined) {
    this.#connection = connection;
    this.#elicit = elicit;
  }

  /** Sends a request until the server answers without questions, and resolves with that answer. */
  async request(method: string, params: Params, options: CallOptions): Promise<Result> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onprogress } = options;
    const { totalTimeoutMs = Math.max(timeoutMs, DEFAULT_TOTAL_TIMEOUT_MS) } = options;
    const startedAt = performance.now();
    // Without progress, `timeoutMs` alone bounds the first round, so that no other timer is needed.
    const isBounded = !onprogress && timeoutMs <= totalTimeoutMs;
    const first = isBounded ? await this.#connection.request(method, params, options) : undefined;
    if (first && !isQuestion(first)) return first;
    // Aborts everything that belongs to this call, including the dialog of a question.
    const controller = new AbortController();
    const abort = (reason: unknown): void => controller.abort(reason);
    const onAbort = (): void => abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const timeoutText = `The server did not complete ${method}`;
    const leftMs = first ? totalTimeoutMs - (performance.now() - startedAt) : totalTimeoutMs;
    const timer = startTimer(leftMs, () => abort(timeoutError(timeoutText, totalTimeoutMs)));
    const limits = { signal: controller.signal, timeoutMs: options.timeoutMs, onprogress };
    const connection = this.#connection;
    try {
      const result = first ?? (await connection.request(method, params, limits));
      if (!isQuestion(result)) return result;
      const wait = { signal: controller.signal, timeoutMs: Infinity, timeoutText };
      const { answerQuestions } = await connection.waitFor(loadQuestions, wait);
      const elicit = this.#elicit;
      const call = { connection, elicit, method, params, result, limits, ClientError };
      return await answerQuestions(call);
    } catch (error) {
      abort(error);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

function isQuestion(result: Result): boolean {
  return result['resultType'] === 'input_required';
}

async function loadQuestions() {
  return await import('./questions.js');
}
