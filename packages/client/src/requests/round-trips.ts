import { ClientError } from '../api/client-error.js';
import type { Elicit } from '../api/elicitation-types.js';
import { startTimer, timeoutError } from '../connection/outstanding.js';
import {
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TOTAL_TIMEOUT_MS,
  type CallOptions,
} from '../api/request-options.js';
import type { ReconnectingConnection } from '../connection/reconnecting-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';

/**
 * Requests that the server may answer with questions to the user: it is given the answers with the
 * same request, sent again (Patterns › Multi Round-Trip Requests).
 *
 * Each round is a request of its own. When the connection is lost between two of them, while the
 * user is asked, nothing was under way: the server had answered, and all that it has to know comes
 * back to it in `requestState`. So the next round goes to the new connection, also for a write
 * without a key, and a server that knows nothing of the question asks again.
 */
export class RoundTrips {
  readonly #connection: ReconnectingConnection;
  readonly #elicit: Elicit | undefined;

  constructor(connection: ReconnectingConnection, elicit: Elicit | undefined) {
    this.#connection = connection;
    this.#elicit = elicit;
  }

  /** Sends a request until its answer is no question, and resolves with that. */
  async request(method: string, params: Params, options: CallOptions): Promise<Result> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onprogress } = options;
    const { totalTimeoutMs = Math.max(timeoutMs, DEFAULT_TOTAL_TIMEOUT_MS) } = options;
    const startedAt = performance.now();
    // Without progress the first round ends with its own time, whatever there is in all.
    const isBounded = !onprogress && timeoutMs <= totalTimeoutMs;
    const first = isBounded
      ? await this.#connection.request(method, params, { signal, timeoutMs })
      : undefined;
    if (first && !isQuestion(first)) return first;
    // Ends everything that belongs to this call, the dialog of a question included.
    const over = new AbortController();
    const end = (reason: unknown): void => over.abort(reason);
    const onAbort = (): void => end(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const late = `The server did not complete ${method}`;
    const leftMs = first ? totalTimeoutMs - (performance.now() - startedAt) : totalTimeoutMs;
    const timer = startTimer(leftMs, () => end(timeoutError(late, totalTimeoutMs)));
    const limits = { signal: over.signal, timeoutMs: options.timeoutMs, onprogress };
    const connection = this.#connection;
    try {
      const result = first ?? (await connection.request(method, params, limits));
      if (!isQuestion(result)) return result;
      const wait = { signal: over.signal, timeoutMs: Infinity, late };
      const { answerQuestions } = await connection.during(loadQuestions, wait);
      const elicit = this.#elicit;
      const call = { connection, elicit, method, params, result, limits, ClientError };
      return await answerQuestions(call);
    } catch (error) {
      end(error);
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
