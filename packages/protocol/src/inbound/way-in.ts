import { isJsonRpcMessage, type JsonRpcRequest, type RequestId } from '@inpage-mcp/transport';
import type { PendingCall } from '../calls/pending-call.js';
import type { FairShare } from '../fairness/fair-share.js';
import { weigh } from '../fairness/message-budget.js';
import type { Method, Methods } from '../features/methods.js';
import { listenedUris } from '../subscriptions/subscriptions.js';
import { ErrorCode, invalidParams, ProtocolError, type ErrorObject } from '../wire/errors.js';
import { LISTEN } from '../wire/keys.js';
import { isObject } from '../wire/is-object.js';
import type { Params } from '../wire/types.js';
import type { EraChoice } from './era-choice.js';
import {
  badId,
  idInUse,
  invalidRequest,
  isLikeAnswer,
  notAMessage,
  pastBudget,
  requestIdOf,
} from './refusals.js';

/**
 * The way of a message that comes in. Before it is read, it waits for the turn of its holder
 * (`fair-port`). Then it passes these steps, in this order; each lets it go on, or gives the error
 * with which it is refused. After them it waits for a place among the requests of its holder
 * (`request-queue`), gets a deadline, and is handed to its method.
 */
export const WAY_IN = {
  /** Of everything that comes in. The rate is asked before (`admission`). */
  message: [isInBudget, isMessage],
  /** Of a request, which cannot be answered by its id yet. */
  request: [hasUsableId, hasFreeId],
  /** Of a request that is on record, and answered by its id. */
  call: [isWellFormed, hasEra, hasMethod, hasFittingParams, namesShortUris],
} as const;

/** The error of what is refused without an answer. */
export const UNANSWERED: ErrorObject = invalidRequest('');

/** Something that has come in. */
export interface Arrival {
  readonly value: unknown;
  /** What it weighs, after the first step. */
  bytes: number;
}

/** What the steps look at. */
export interface WayInParts {
  readonly share: FairShare;
  /** The requests that have yet to be answered. */
  readonly open: { has(id: RequestId): boolean };
  readonly era: EraChoice;
  readonly methods: Methods<never>;
}

/** A request on its way to its method. */
export interface ArrivedCall {
  readonly request: JsonRpcRequest;
  readonly call: PendingCall;
  /** After the step that finds it. */
  method: Method<never> | undefined;
}

/** Depth, values and bytes: this is the one time that a message is walked through. */
function isInBudget(arrival: Arrival, { share }: WayInParts): ErrorObject | undefined {
  const { finding, bytes } = weigh(arrival.value, share.limits);
  arrival.bytes = bytes;
  return finding && pastBudget(finding);
}

/** Nobody answers what may be meant as an answer, or two peers could go on for ever. */
function isMessage({ value }: Arrival): ErrorObject | undefined {
  if (isJsonRpcMessage(value)) return undefined;
  return isLikeAnswer(value) ? UNANSWERED : notAMessage();
}

function hasUsableId({ value }: Arrival): ErrorObject | undefined {
  return requestIdOf(value) === undefined ? badId() : undefined;
}

function hasFreeId({ value }: Arrival, { open }: WayInParts): ErrorObject | undefined {
  return open.has((value as JsonRpcRequest).id) ? idInUse() : undefined;
}

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

function isWellFormed({ request }: ArrivedCall): void {
  if (Object.keys(request).every((key) => MEMBERS.includes(key))) return;
  throw new ProtocolError(ErrorCode.InvalidRequest, 'This is no JSON-RPC request.');
}

function hasEra({ request, call }: ArrivedCall, { era }: WayInParts): void {
  call.era = era.eraOf(request);
}

function hasMethod(arrived: ArrivedCall, { methods }: WayInParts): void {
  const { call } = arrived;
  const method = methods.get(call.method);
  const isOffered = method && (method.isOffered?.() ?? true);
  if (!isOffered || (method.era ?? call.era) !== call.era) {
    throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found');
  }
  arrived.method = method;
}

function hasFittingParams({ call, method }: ArrivedCall): void {
  const problem = method?.params?.(call.params, '');
  if (problem !== undefined) throw invalidParams(`Invalid params: ${problem}`);
}

const METHODS_WITH_URI: readonly string[] = [
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
];

function namesShortUris({ call }: ArrivedCall, { share }: WayInParts): void {
  const { uriLength } = share.limits;
  for (const uri of namedUris(call.method, call.params)) {
    if (uri.length > uriLength) throw longUriError(uriLength);
  }
}

/** The uris that a request is about; a template counts as one. */
function namedUris(method: string, params: Params): Iterable<string> {
  if (method === LISTEN) return listenedUris(params);
  if (!METHODS_WITH_URI.includes(method)) return [];
  const { ref } = params;
  const uri = method === 'completion/complete' ? isObject(ref) && ref['uri'] : params['uri'];
  return typeof uri === 'string' ? [uri] : [];
}

/** The uri is longer than any that can be: −32602, without repeating it. */
function longUriError(limit: number): ProtocolError {
  return invalidParams(`Invalid params: uri: longer than ${limit} characters`);
}
