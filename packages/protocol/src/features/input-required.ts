import { badStateError } from '../calls/carried-answers.js';
import {
  isAnswerTo,
  isElicitResult,
  isRootsResult,
  isSampleResult,
} from '../calls/input-answers.js';
import { checkCanAsk, InputNeeded } from '../calls/input-needed.js';
import type { Call } from '../calls/call.js';
import type { PendingCall } from '../calls/pending-call.js';
import { ErrorCode, internalError, invalidParams, ProtocolError } from '../wire/errors.js';
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  InputRequest,
  InputRequiredResult,
  InputResponse,
  InputResponses,
  ListRootsResult,
  SampleParams,
  SampleResult,
} from '../wire/input-types.js';
import { MODES_SINCE } from '../wire/keys.js';
import { anyObject, object, optional, recordOf, string, type Shape } from '../wire/shapes.js';
import { isObject } from '../wire/is-object.js';
import { errorResult } from './tool.js';

/** Limits for questions to a client of the legacy era during one call. */
export interface InputRequiredOptions {
  /** The maximum number of rounds of questions in one call. Default: 8. */
  maxRounds?: number | undefined;
  /** The time for the client to answer each round, in milliseconds. Default: 10 minutes. */
  roundTimeoutMs?: number | undefined;
}

/** Verifies the state that a client sends back. */
export interface RequestStateOptions<Context = unknown> {
  /**
   * Called before any handler gets the state, because a client may send any state. If it throws, the request
   * is answered with −32602; otherwise its return value is the `requestState` of the call.
   */
  verify(state: string, call: Call<Context>): unknown;
}

export const MAX_ROUNDS = 8;
export const ROUND_TIMEOUT_MS = 10 * 60_000;

/** The methods that may ask the client. */
export const ASKING_METHODS: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

/** The options for a call that may ask its client. */
export interface AskingParts<Context> {
  requestState: RequestStateOptions<Context> | undefined;
  maxRounds: number;
  onerror(error: unknown): void;
}

/** Whether a result asks the client for input. */
export function isInputRequired(value: unknown): value is InputRequiredResult {
  return isObject(value) && value['resultType'] === 'input_required';
}

/**
 * The result that a handler returns to ask its client; the handler is called again with the
 * answers.
 */
export function inputRequired(
  needed: Omit<InputRequiredResult, 'resultType'>,
): InputRequiredResult {
  return { resultType: 'input_required', ...needed };
}

/** Asks the user to fill in a form. */
inputRequired.elicit = (params: ElicitFormParams): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', ...params },
});

/** Asks the user to open a URL. */
inputRequired.elicitUrl = (params: Omit<ElicitUrlParams, 'mode'>): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'url', ...params },
});

/** Asks the model of the client. */
inputRequired.sample = (params: SampleParams): InputRequest => ({
  method: 'sampling/createMessage',
  params,
});

/** Asks for the folders of the client. */
inputRequired.listRoots = (): InputRequest => ({ method: 'roots/list' });

/** An answer, by the kind of its question. */
export type InputResponseView =
  | ({ kind: 'elicit' } & ElicitResult)
  | { kind: 'sample'; result: SampleResult }
  | { kind: 'roots'; roots: ListRootsResult['roots'] }
  | { kind: 'missing' };

/** The answer to one question, recognized by its shape; `missing` if it is absent or invalid. */
export function inputResponse(
  responses: InputResponses | undefined,
  key: string,
): InputResponseView {
  const response: unknown = responses && Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!isObject(response)) return { kind: 'missing' };
  if (isElicitResult(response)) return { kind: 'elicit', ...response };
  if (isRootsResult(response)) return { kind: 'roots', roots: response.roots };
  return isSampleResult(response) ? { kind: 'sample', result: response } : { kind: 'missing' };
}

/** The values of the form if the user accepted it; otherwise `undefined`. */
export function acceptedContent(
  responses: InputResponses | undefined,
  key: string,
): NonNullable<ElicitResult['content']> | undefined {
  const answer = inputResponse(responses, key);
  if (answer.kind !== 'elicit' || answer.action !== 'accept') return undefined;
  return answer.content ?? {};
}

const anyResponses = recordOf(anyObject);

/**
 * The shape of the answers. It rejects `__proto__` as a key, because a handler that copies the answers key by
 * key would set a prototype.
 */
const namedResponses: Shape = (value, path) =>
  anyResponses(value, path) ??
  (Object.hasOwn(value as object, '__proto__') ? `${path}: a key is no name` : undefined);

/** The members of the params that belong to an earlier round, in the modern era. */
const ROUND = object({
  inputResponses: optional(namedResponses),
  requestState: optional(string),
});

/**
 * Runs a handler that may ask its client (2026-07-28, Multi Round-Trip Requests). In the modern era
 * the question is the result, and the client sends the request again. A client of the legacy era is
 * asked during the call, and the handler runs again here.
 *
 * @throws {ProtocolError} −32602 for an invalid state, −32021 if the client has not declared that
 *   it can be asked this.
 */
export async function runAsking<Context>(
  call: PendingCall<Context>,
  handler: () => object | Promise<object>,
  parts: AskingParts<Context>,
): Promise<object> {
  if (call.era === 'modern') await readRound(call, parts);
  for (let round = 1; ; round += 1) {
    // The call may have ended while the state was verified or the client was asked.
    if (call.isOver) call.signal.throwIfAborted();
    const result = await outcomeOf(call, handler);
    if (!isInputRequired(result)) return result;
    checkNotEmpty(call, result);
    if (call.era === 'modern') return toQuestion(call, result);
    if (round > parts.maxRounds) {
      return failCall(call, `It still needs input after ${parts.maxRounds} rounds.`);
    }
    const failure = await askLegacyClient(call, result, parts);
    if (failure) return failure;
  }
}

async function outcomeOf<Context>(
  call: PendingCall<Context>,
  handler: () => object | Promise<object>,
): Promise<object> {
  try {
    return await handler();
  } catch (error) {
    if (error instanceof InputNeeded) {
      call.carried.addQuestion(error.key, error.request);
      return inputRequired({ inputRequests: { [error.key]: error.request } });
    }
    const isUrl = error instanceof ProtocolError && error.code === ErrorCode.UrlElicitationRequired;
    if (!isUrl || call.revision === MODES_SINCE) throw error;
    throw internalError(
      'UrlElicitationRequiredError is of 2025-11-25: return inputRequired with ' +
        'inputRequired.elicitUrl instead.',
    );
  }
}

function checkNotEmpty(
  { method }: { method: string },
  { inputRequests, requestState }: InputRequiredResult,
): void {
  const isEmpty = Object.keys(inputRequests ?? {}).length === 0 && requestState === undefined;
  if (isEmpty) throw internalError(`The handler of ${method} asks for input, and names none.`);
}

function toQuestion<Context>(call: PendingCall<Context>, result: InputRequiredResult): object {
  for (const request of Object.values(result.inputRequests ?? {})) {
    checkCanAsk(request, call.clientCapabilities);
  }
  const requestState = call.carried.toState(result.requestState);
  return { ...result, ...(requestState !== undefined && { requestState }) };
}

/** Asks a client of the legacy era. If that fails, returns the result of the call. */
async function askLegacyClient<Context>(
  call: PendingCall<Context>,
  { inputRequests = {}, requestState }: InputRequiredResult,
  parts: AskingParts<Context>,
): Promise<object | undefined> {
  const asking = new AbortController();
  const signal = AbortSignal.any([asking.signal, call.signal]);
  const answer = async ([key, request]: [string, InputRequest]): Promise<
    [string, InputResponse]
  > => [key, await call.askClient(request, signal)];
  try {
    for (const request of Object.values(inputRequests)) {
      checkCanAsk(request, call.clientCapabilities);
    }
    const responses = await Promise.all(Object.entries(inputRequests).map(answer));
    for (const [key, response] of responses) {
      const isFitting = await isAnswerTo(inputRequests[key]!, response);
      if (!isFitting)
        return failCall(call, `The client has answered ${key} in a way that does not fit.`);
    }
    call.inputResponses = Object.fromEntries(responses);
  } catch (error) {
    // Cancel the other questions of the round.
    asking.abort(error);
    if (call.isOver) throw error;
    return failCall(call, `The client did not answer the question: ${(error as Error).message}`);
  }
  call.requestState = undefined;
  if (requestState !== undefined) await verifyState(call, requestState, parts);
  return undefined;
}

/** Reads the answers and the state of the round before. */
async function readRound<Context>(
  call: PendingCall<Context>,
  parts: AskingParts<Context>,
): Promise<void> {
  const problem = ROUND(call.params, '');
  if (problem !== undefined) throw invalidParams(`Invalid params: ${problem}`);
  const { requestState, inputResponses } = call.params;
  call.inputResponses = inputResponses as InputResponses | undefined;
  if (requestState === undefined) return;
  const own = call.carried.restore(requestState as string, call.inputResponses ?? {});
  if (own !== undefined) await verifyState(call, own, parts);
}

async function verifyState<Context>(
  call: PendingCall<Context>,
  state: string,
  { requestState, onerror }: AskingParts<Context>,
): Promise<void> {
  if (!requestState) {
    call.requestState = state;
    return;
  }
  try {
    call.requestState = await requestState.verify(state, call);
  } catch (error) {
    onerror(error);
    throw badStateError();
  }
}

/** The failure of a call: for a tool, a result with `isError`; otherwise an error (−32603). */
function failCall({ method }: { method: string }, text: string): object {
  if (method === 'tools/call') return errorResult(text);
  throw internalError(text);
}
