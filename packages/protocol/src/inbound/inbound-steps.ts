import { isJsonRpcMessage, type JsonRpcRequest, type RequestId } from '@inpage-mcp/transport';
import type { PendingCall } from '../calls/pending-call.js';
import type { FairShare } from '../fairness/fair-share.js';
import { measure } from '../fairness/message-budget.js';
import type { Method, Methods } from '../features/methods.js';
import { ErrorCode, invalidParams, ProtocolError, type ErrorObject } from '../wire/errors.js';
import type { Batch } from './batch.js';
import type { EraChoice } from './era-choice.js';
import {
  badIdError,
  idInUseError,
  invalidRequest,
  looksLikeAnswer,
  notAMessageError,
  budgetError,
  requestIdOf,
} from './rejections.js';

/**
 * The steps of an inbound message. Before it is read, it waits for the turn of its holder
 * (`fair-port`). Then it passes these steps, in this order; each accepts it, or returns or throws
 * the error that rejects it. After them it waits in the queue of its holder (`request-queue`), gets
 * a deadline, and is dispatched to its method.
 */
export const INBOUND_STEPS = {
  /** The steps of every inbound value. The rate is checked before (`intake`). */
  message: [isInBudget, isMessage],
  /** The steps of a request that cannot yet be answered by its id. */
  request: [hasUsableId, hasFreeId],
  /** The steps of a request that is registered, and is answered by its id. */
  call: [isWellFormed, hasEra, hasMethod, hasFittingParams, hasShortUris],
} as const;

/** The error that rejects a message without an answer. */
export const UNANSWERED: ErrorObject = invalidRequest('');

/** An inbound value. */
export interface Arrival {
  readonly value: unknown;
  /** The size of the value, after the first step. */
  bytes: number;
  /** The batch that contains the value. */
  readonly batch: Batch | undefined;
}

/** The parts of a connection that the steps use. */
export interface InboundParts {
  readonly share: FairShare;
  /** The requests that are not answered yet. */
  readonly open: { has(id: RequestId): boolean };
  readonly era: EraChoice;
  readonly methods: Methods<never>;
}

/** A request in the steps before its method. */
export interface ArrivedCall {
  readonly request: JsonRpcRequest;
  readonly call: PendingCall;
  /** The method, set by `hasMethod`. */
  method: Method<never> | undefined;
}

/** Checks depth, values and bytes. This is the only full walk through a message. */
function isInBudget(arrival: Arrival, { share }: InboundParts): ErrorObject | undefined {
  const { violation, bytes } = measure(arrival.value, share.limits);
  arrival.bytes = bytes;
  return violation && budgetError(violation);
}

/**
 * Checks whether a value is a message. A value that looks like an answer is not answered, because otherwise
 * two peers could loop without end.
 */
function isMessage({ value }: Arrival): ErrorObject | undefined {
  if (isJsonRpcMessage(value)) return undefined;
  return looksLikeAnswer(value) ? UNANSWERED : notAMessageError();
}

function hasUsableId({ value }: Arrival): ErrorObject | undefined {
  return requestIdOf(value) === undefined ? badIdError() : undefined;
}

function hasFreeId({ value }: Arrival, { open }: InboundParts): ErrorObject | undefined {
  return open.has((value as JsonRpcRequest).id) ? idInUseError() : undefined;
}

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params'];

function isWellFormed({ request }: ArrivedCall): void {
  if (Object.keys(request).every((key) => MEMBERS.includes(key))) return;
  throw new ProtocolError(ErrorCode.InvalidRequest, 'This is no JSON-RPC request.');
}

function hasEra({ request, call }: ArrivedCall, { era }: InboundParts): void {
  call.era = era.eraOf(request);
}

function hasMethod(arrived: ArrivedCall, { methods }: InboundParts): void {
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

/** Checks the length of the uris. The error does not repeat the uri. */
function hasShortUris({ call, method }: ArrivedCall, { share }: InboundParts): void {
  const { uriLength } = share.limits;
  const uris = method?.uris?.(call.params) ?? [];
  if (uris.every((uri) => uri.length <= uriLength)) return;
  throw invalidParams(`Invalid params: uri: longer than ${uriLength} characters`);
}
