import { ClientError, type ClientErrorCode } from './client-error.js';
import type { Elicit, ElicitRequest, ElicitResult } from './elicitation-types.js';
import { startTimer, timeoutError } from './outstanding.js';
import { DEFAULT_TOTAL_TIMEOUT_MS, type CallOptions } from './request-options.js';
import type { ReconnectingConnection } from './reconnecting-connection.js';
import type { Params, Result } from './rpc-connection.js';

/** How often the server may ask back before it gets no further answer. */
const MAX_ROUNDS = 10;

/** The pause before asking again when the server wanted nothing but that. */
const PAUSE_MS = 250;

/** What goes with the request when it is sent again. */
interface RetryParams {
  inputResponses?: { [key: string]: ElicitResult };
  requestState?: string;
}

interface QuestionLimits {
  signal: AbortSignal;
  timeoutMs?: number | undefined;
}

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
    const { signal, timeoutMs, onprogress } = options;
    const { totalTimeoutMs = Math.max(timeoutMs ?? 0, DEFAULT_TOTAL_TIMEOUT_MS) } = options;
    // Ends everything that belongs to this call, the dialog of a question included.
    const over = new AbortController();
    const end = (reason: unknown): void => over.abort(reason);
    const onAbort = (): void => end(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const late = `The server did not complete ${method}`;
    const timer = startTimer(totalTimeoutMs, () => end(timeoutError(late, totalTimeoutMs)));
    try {
      const leg = { signal: over.signal, timeoutMs, onprogress };
      let result = await this.#connection.request(method, params, leg);
      for (let round = 1; result['resultType'] === 'input_required'; round += 1) {
        if (round > MAX_ROUNDS) throw inputError('unsupported', method, ' again and again');
        const retry = await this.#retryParams(method, result, leg);
        result = await this.#connection.request(method, { ...params, ...retry }, leg);
      }
      return result;
    } catch (error) {
      end(error);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** What the server wants to have with the next request. */
  async #retryParams(
    method: string,
    { inputRequests, requestState }: Result,
    limits: QuestionLimits,
  ): Promise<RetryParams> {
    const questions = Object.entries(inputRequests ?? {});
    const state = typeof requestState === 'string' ? { requestState } : undefined;
    if (questions.length > 0)
      return { ...state, inputResponses: await this.#askAll(method, questions, limits) };
    if (!state) throw inputError('invalid-result', method, ', but not for which');
    await this.#connection.during(pause, { signal: limits.signal, timeoutMs: Infinity, late: '' });
    return state;
  }

  /** One question after the other: a user has one pair of eyes. */
  async #askAll(
    method: string,
    questions: [key: string, question: unknown][],
    { signal, timeoutMs = Infinity }: QuestionLimits,
  ): Promise<{ [key: string]: ElicitResult }> {
    const elicit = this.#elicit;
    const asking = questions.map(([key, question]) => {
      const form = formOf(question);
      // Before the user is bothered with any of them.
      if (!elicit || !form)
        throw inputError('unsupported', method, ' that this client cannot give');
      return [key, () => ask(elicit, form, signal)] as const;
    });
    const late = `The user did not answer the question about ${method}`;
    const answers: [key: string, answer: ElicitResult][] = [];
    for (const [key, run] of asking)
      answers.push([key, await this.#connection.during(run, { signal, timeoutMs, late })]);
    return Object.fromEntries(answers);
  }
}

/** The form that an embedded request asks for, if it does; this client can show nothing else. */
function formOf(question: unknown): ElicitRequest | undefined {
  const { method, params } = (question ?? {}) as { method?: unknown; params?: Params | null };
  if (method !== 'elicitation/create' || !params) return undefined;
  const { mode = 'form', message, requestedSchema } = params;
  if (mode !== 'form' || typeof message !== 'string' || !requestedSchema) return undefined;
  return { message, requestedSchema: requestedSchema as ElicitRequest['requestedSchema'] };
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function ask(
  elicit: Elicit,
  form: ElicitRequest,
  signal: AbortSignal,
): Promise<ElicitResult> {
  try {
    const { action, content } = await elicit(form, { signal });
    if (action === 'accept') return content ? { action, content } : { action };
    return { action: action === 'decline' ? action : 'cancel' };
  } catch {
    return { action: 'cancel' };
  }
}

function inputError(code: ClientErrorCode, method: string, which: string): ClientError {
  return new ClientError(code, `The server asks for input to answer ${method}${which}.`);
}
