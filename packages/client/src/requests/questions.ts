import type { ClientError, ClientErrorCode } from '../api/client-error.js';
import type { Elicit, ElicitRequest, ElicitResult } from '../api/elicitation-types.js';
import type { CallOptions } from '../api/request-options.js';
import type { ReconnectingConnection } from '../connection/reconnecting-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';

/** How often the server may ask back before it gets no further answer. */
const MAX_ROUNDS = 10;

/** The pause before asking again when the server wanted nothing but that. */
const PAUSE_MS = 250;

/** What goes with the request when it is sent again. */
interface RetryParams {
  inputResponses?: { [key: string]: ElicitResult };
  requestState?: string;
}

/** A call that the server has answered with questions. */
export interface QuestionedCall {
  connection: ReconnectingConnection;
  elicit: Elicit | undefined;
  method: string;
  params: Params;
  /** The first answer. */
  result: Result;
  /** Of each round; the signal ends the dialog of a question as well. */
  limits: CallOptions & { signal: AbortSignal };
  ClientError: typeof ClientError;
}

/**
 * Sends a request again, with the answers of the user, until its answer is no question, and
 * resolves with that.
 *
 * This module is loaded when a server asks for the first time, as most never do. It imports types
 * only, so that nothing else is taken out of what a page loads at its start.
 */
export async function answerQuestions({
  connection,
  elicit,
  method,
  params,
  result,
  limits,
  ClientError,
}: QuestionedCall): Promise<Result> {
  const { signal, timeoutMs } = limits;
  let answer = result;
  for (let round = 1; answer['resultType'] === 'input_required'; round += 1) {
    if (round > MAX_ROUNDS) throw inputError('unsupported', ' again and again');
    const retry = await retryParams(answer);
    answer = await connection.request(method, { ...params, ...retry }, limits);
  }
  return answer;

  function inputError(code: ClientErrorCode, which: string): ClientError {
    return new ClientError(code, `The server asks for input to answer ${method}${which}.`);
  }

  /** What the server wants to have with the next request. */
  async function retryParams({ inputRequests, requestState }: Result): Promise<RetryParams> {
    const questions = Object.entries(inputRequests ?? {});
    const state = typeof requestState === 'string' ? { requestState } : undefined;
    if (questions.length > 0) return { ...state, inputResponses: await askAll(questions) };
    if (!state) throw inputError('invalid-result', ', but not for which');
    await connection.during(pause, { signal, timeoutMs: Infinity, late: '' });
    return state;
  }

  /** One question after the other: a user has one pair of eyes. */
  async function askAll(
    questions: [key: string, question: unknown][],
  ): Promise<{ [key: string]: ElicitResult }> {
    const asking = questions.map(([key, question]) => {
      const asked = formOf(question);
      // Before the user is bothered with any of them.
      if (!elicit || !asked) throw inputError('unsupported', ' that this client cannot give');
      return [key, () => ask(elicit, asked, signal)] as const;
    });
    const late = `The user did not answer the question about ${method}`;
    const wait = { signal, timeoutMs: timeoutMs ?? Infinity, late };
    const answers: [key: string, answer: ElicitResult][] = [];
    for (const [key, run] of asking) answers.push([key, await connection.during(run, wait)]);
    return Object.fromEntries(answers);
  }
}

/** The form that an embedded request asks for, if it does; this client can show nothing else. */
function formOf(question: unknown): ElicitRequest | undefined {
  const { method, params } = (question ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'elicitation/create' || !isObject(params)) return undefined;
  const { mode = 'form', message, requestedSchema } = params;
  if (mode !== 'form' || typeof message !== 'string' || !isForm(requestedSchema)) return undefined;
  return { message, requestedSchema };
}

/** Whether a schema is that of a form, as far as whoever shows it relies on it. */
function isForm(schema: unknown): schema is ElicitRequest['requestedSchema'] {
  if (!isObject(schema) || schema['type'] !== 'object') return false;
  const properties = schema['properties'];
  return isObject(properties) && Object.values(properties).every(isObject);
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function ask(
  elicit: Elicit,
  asked: ElicitRequest,
  signal: AbortSignal,
): Promise<ElicitResult> {
  try {
    const { action, content } = await elicit(asked, { signal });
    if (action === 'accept') return content ? { action, content } : { action };
    return { action: action === 'decline' ? action : 'cancel' };
  } catch {
    return { action: 'cancel' };
  }
}
