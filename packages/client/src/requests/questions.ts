import type { ClientError, ClientErrorCode } from '../api/client-error.js';
import type { Elicit, ElicitRequest, ElicitResult } from '../api/elicitation-types.js';
import type { CallOptions } from '../api/request-options.js';
import type { ClientConnection } from '../connection/client-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';

/** The maximum number of times that the server may ask for input before the client rejects the call. */
const MAX_ROUNDS = 10;

/** The pause before a retry, if the server asks for a retry without input. */
const PAUSE_MS = 250;

/** The additional params of the next round. */
interface RetryParams {
  inputResponses?: { [key: string]: ElicitResult };
  requestState?: string;
}

/** A call that the server has answered with questions. */
export interface CallWithQuestions {
  connection: ClientConnection;
  elicit: Elicit | undefined;
  method: string;
  params: Params;
  /** The first answer. */
  result: Result;
  /** The limits of each round; the signal also closes the dialog of a question. */
  limits: CallOptions & { signal: AbortSignal };
  ClientError: typeof ClientError;
}

/**
 * Sends a request again, with the user's answers, until the server answers without questions, and
 * resolves with that answer.
 *
 * This module is loaded when a server asks for the first time; most servers never do. It imports
 * only types, so that a bundler moves no other code out of the chunks that a page loads first.
 */
export async function answerQuestions({
  connection,
  elicit,
  method,
  params,
  result,
  limits,
  ClientError,
}: CallWithQuestions): Promise<Result> {
  const { signal, timeoutMs } = limits;
  let answer = result;
  for (let round = 1; answer['resultType'] === 'input_required'; round += 1) {
    if (round > MAX_ROUNDS) throw inputError('unsupported', ' too many times');
    const retry = await createRetryParams(answer);
    answer = await connection.request(method, { ...params, ...retry }, limits);
  }
  return answer;

  function inputError(code: ClientErrorCode, which: string): ClientError {
    return new ClientError(code, `The server asks for input to answer ${method}${which}.`);
  }

  /** Asks the user, and returns the params for the next round. */
  async function createRetryParams({ inputRequests, requestState }: Result): Promise<RetryParams> {
    const questions = Object.entries(inputRequests ?? {});
    const state = typeof requestState === 'string' ? { requestState } : undefined;
    if (questions.length > 0) return { ...state, inputResponses: await askAll(questions) };
    if (!state) throw inputError('invalid-result', ', but names none');
    await connection.waitFor(pause, { signal, timeoutMs: Infinity, timeoutText: '' });
    return state;
  }

  /** Asks one question after the other: a user cannot answer two at once. */
  async function askAll(
    questions: [key: string, question: unknown][],
  ): Promise<{ [key: string]: ElicitResult }> {
    const tasks = questions.map(([key, question]) => {
      const form = readForm(question);
      // Reject before the user sees any of the questions.
      if (!elicit || !form) throw inputError('unsupported', ' that this client cannot give');
      return [key, () => ask(elicit, form, signal)] as const;
    });
    const timeoutText = `The user did not answer the question about ${method}`;
    const wait = { signal, timeoutMs: timeoutMs ?? Infinity, timeoutText };
    const answers: [key: string, answer: ElicitResult][] = [];
    for (const [key, run] of tasks) answers.push([key, await connection.waitFor(run, wait)]);
    return Object.fromEntries(answers);
  }
}

/** The form of an embedded request; `undefined` for other requests, which this client cannot show. */
function readForm(question: unknown): ElicitRequest | undefined {
  const { method, params } = (question ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'elicitation/create' || !isObject(params)) return undefined;
  const { mode = 'form', message, requestedSchema } = params;
  if (mode !== 'form' || typeof message !== 'string' || !isForm(requestedSchema)) return undefined;
  return { message, requestedSchema };
}

/** Whether a schema has the parts of a form that `elicit` relies on. */
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
