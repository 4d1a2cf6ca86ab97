import type { Call } from '../calls/call.js';
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '@inpage-mcp/transport';
import { type BatchOfCall, PendingCall, type CallHost } from '../calls/pending-call.js';
import type { FairShare } from '../fairness/fair-share.js';
import type { Quota } from '../fairness/quota.js';
import { toProtocolError } from '../features/handler-errors.js';
import { ASKING_METHODS, isInputRequired, runAsking } from '../features/input-required.js';
import type { Method } from '../features/methods.js';
import { STREAM } from '../features/subscription-methods.js';
import { errorResult } from '../features/tool.js';
import type { EraChoice } from '../inbound/era-choice.js';
import { queueError } from '../inbound/rejections.js';
import {
  INBOUND_STEPS,
  type Arrival,
  type ArrivedCall,
  type InboundParts,
} from '../inbound/inbound-steps.js';
import { endOfStream, errorAnswer, resultAnswer } from '../outbound/outbound-steps.js';
import { sendable } from '../outbound/sendable.js';
import type { Subscriptions } from '../subscriptions/subscriptions.js';
import { internalError, invalidResultError, ProtocolError } from '../wire/errors.js';
import { LISTEN } from '../wire/keys.js';
import { cancelledId } from '../wire/messages.js';
import { anyObject } from '../wire/shapes.js';
import type { ServedParts } from './method-table.js';
import type { Observer } from './observer.js';

/** The parts of a connection that its open calls use. */
export interface OpenCallsParts<Context> {
  served: ServedParts<Context>;
  methods: ReadonlyMap<string, Method<Context>>;
  share: FairShare;
  /** The part of this connection in the kept bytes of its holder. */
  kept: Quota;
  era: EraChoice;
  host: CallHost<Context>;
  subscriptions: Subscriptions;
  observer: Required<Observer>;
  /** Sends an answer. Throws if no port can carry the value. */
  post(message: JsonRpcResult | JsonRpcError): void;
  /** Called with an error that is not sent to the client. */
  report(error: unknown): void;
}

/**
 * The unanswered requests of one connection: they wait, run, or are streams. Each is answered once,
 * with the result of its method, or with the error that ends it first.
 */
export class OpenCalls<Context> {
  /** The parts that the inbound steps use. */
  readonly inbound: InboundParts;
  readonly #parts: OpenCallsParts<Context>;
  readonly #calls = new Map<RequestId, PendingCall<Context>>();

  constructor(parts: OpenCallsParts<Context>) {
    this.#parts = parts;
    const { share, era, methods } = parts;
    this.inbound = { share, era, methods, open: this };
  }

  /** Whether a request with this id is unanswered. */
  has(id: RequestId): boolean {
    return this.#calls.has(id);
  }

  /** Takes a request through the inbound steps, and enqueues it. */
  begin(request: JsonRpcRequest, { bytes, batch }: Arrival): void {
    const { host, observer } = this.#parts;
    const call = new PendingCall<Context>(request, batch, host);
    batch?.expect();
    this.#calls.set(call.id, call);
    observer.began(call);
    try {
      const arrived: ArrivedCall = { request, call, method: undefined };
      for (const step of INBOUND_STEPS.call) step(arrived, this.inbound);
      call.isHeavy = arrived.method?.isHeavy?.(call.params) ?? false;
      this.#enqueue(call, bytes);
    } catch (error) {
      this.#fail(call, error);
    }
  }

  /** Ends the request that the client has cancelled, without an answer. */
  cancel(message: JsonRpcNotification): void {
    const call = this.#calls.get(cancelledId(message));
    // The request was answered before, or never existed.
    if (!call) return;
    this.#remove(call);
    call.batch?.settle(undefined);
    this.#parts.observer.ended(call, undefined);
    call.abort(new DOMException('The client has cancelled the request.', 'AbortError'));
  }

  /** Ends requests early: see `failOpen` of the connection. */
  failOpen(errorFor: (call: Call<Context>) => ProtocolError | undefined): void {
    for (const call of this.#calls.values()) {
      const error = call.method === LISTEN ? undefined : errorFor(call);
      if (!error) continue;
      this.#answer(call, errorAnswer(call, error));
      call.abort(error);
    }
  }

  /** Answers a call that has timed out. */
  timeOut(call: PendingCall<Context>): void {
    const error = timeoutError(this.#parts.host.timeoutMs);
    // The answer is sent before the abort, because an error that the handler throws on abort must not become
    // the answer.
    if (call.method === 'tools/call') this.#finish(call, errorResult(error.message));
    else this.#fail(call, error);
    call.abort(error);
  }

  /** Ends a stream with its result (Subscriptions › Ending). */
  endStream(id: RequestId): void {
    const call = this.#calls.get(id);
    if (call) this.#finish(call, endOfStream(call));
  }

  /** Aborts all calls without an answer: the connection has ended. */
  end(): void {
    const { share, observer } = this.#parts;
    const reason = new DOMException('The connection has ended.', 'AbortError');
    for (const call of this.#calls.values()) {
      share.requests.delete(call);
      observer.ended(call, undefined);
      call.abort(reason);
    }
    this.#calls.clear();
  }

  /** Starts or enqueues a call. Streams and handshakes start at once. */
  #enqueue(call: PendingCall<Context>, bytes: number): void {
    const { share, kept } = this.#parts;
    // Code of the app, such as its observer or `isHeavy`, may have ended the connection.
    if (call.isOver) return;
    if (call.method === LISTEN) return this.run(call);
    if (!kept.take(bytes)) throw this.#queueError('keptBytes', bytes);
    // An `initialize` is kept until the connection ends.
    if (call.method === 'initialize') return this.run(call);
    call.keptBytes = bytes;
    if (!share.requests.add(call)) throw this.#queueError('requestsQueued', bytes);
  }

  #queueError(limit: 'requestsQueued' | 'keptBytes', bytes: number): ProtocolError {
    const { limits } = this.#parts.share;
    const { code, message, data } = queueError(limit, limits[limit], bytes);
    return new ProtocolError(code, message, data);
  }

  /** Runs the method of a call. A synchronous result is sent at once. */
  run(call: PendingCall<Context>): void {
    if (call.method !== LISTEN) call.start();
    try {
      const outcome = this.#outcomeOf(call);
      if (!(outcome instanceof Promise)) return this.#finish(call, outcome);
      outcome
        .then((result) => this.#finish(call, result))
        .catch((error: unknown) => this.#fail(call, error));
    } catch (error) {
      this.#fail(call, error);
    }
  }

  #outcomeOf(call: PendingCall<Context>): object | Promise<object> {
    const { methods, served, share } = this.#parts;
    const { requestState, maxRounds, errors } = served;
    const method = methods.get(call.method)!;
    const run = (): object | Promise<object> => method.run(call.params, call);
    const isAsking = ASKING_METHODS.includes(call.method);
    const parts = { requestState, maxRounds, onerror: errors.onerror };
    const asking = isAsking ? () => runAsking(call, run, parts) : run;
    return call.isHeavy ? share.requests.scan(call, asking) : asking();
  }

  #finish(call: PendingCall<Context>, result: object): void {
    if (call.isOver) return;
    if (result === STREAM) return call.forgetParams();
    if (isInputRequired(result) && !ASKING_METHODS.includes(call.method)) {
      return this.#fail(call, internalError(`${call.method} cannot ask for input.`));
    }
    const shape = this.#parts.methods.get(call.method)?.result ?? anyObject;
    const problem = isInputRequired(result) ? undefined : shape(result, '');
    if (problem !== undefined) return this.#fail(call, invalidResultError(call.method, problem));
    const { info, briefInfo } = this.#parts.served;
    const server = call.method === 'server/discover' ? info : briefInfo;
    this.#answer(call, resultAnswer(call, result, server));
  }

  #fail(call: PendingCall<Context>, error: unknown): void {
    if (call.isOver) return;
    const known = toProtocolError(error, call, this.#parts.served.errors);
    this.#answer(call, errorAnswer(call, known));
  }

  #answer(call: PendingCall<Context>, answer: JsonRpcResult | JsonRpcError): void {
    this.#remove(call);
    this.#parts.observer.ended(call, this.#send(call, answer));
  }

  /**
   * Sends an answer. If no port can carry it, for example because it contains a function, sends it without
   * that part if it still has the shape that the protocol requires; otherwise an error.
   */
  #send(
    call: PendingCall<Context>,
    answer: JsonRpcResult | JsonRpcError,
  ): JsonRpcResult | JsonRpcError {
    const { report } = this.#parts;
    const post = call.batch ? settleIn(call.batch) : this.#parts.post;
    try {
      post(answer);
      return answer;
    } catch (error) {
      report(error);
      const instead = this.#sendable(call, answer) ?? errorAnswer(call, internalError());
      post(instead);
      return instead;
    }
  }

  #sendable(
    call: PendingCall<Context>,
    answer: JsonRpcResult | JsonRpcError,
  ): JsonRpcResult | undefined {
    const shape = this.#parts.methods.get(call.method)?.result;
    const rest = shape && 'result' in answer ? sendable(answer) : undefined;
    return rest && shape?.(rest.result, '') === undefined ? rest : undefined;
  }

  /** Frees the id of a call, its kept bytes and its place in the queue. */
  #remove(call: PendingCall<Context>): void {
    const { share, kept, subscriptions } = this.#parts;
    call.end();
    this.#calls.delete(call.id);
    kept.release(call.keptBytes);
    share.requests.delete(call);
    if (call.method === LISTEN) subscriptions.end(call.id);
  }
}

/** The error for a call that took longer than the timeout, in milliseconds: −32603. */
function timeoutError(timeoutMs: number): ProtocolError {
  const text = `This took longer than ${timeoutMs / 1_000} s.`;
  return internalError(text, { limit: 'timeoutMs', maximum: timeoutMs });
}

/**
 * Settles a request of a batch. A batch is sent later, and as one message, so an answer that no port can
 * carry must not get into it.
 */
function settleIn(batch: BatchOfCall): (answer: JsonRpcResult | JsonRpcError) => void {
  return (answer) => {
    structuredClone(answer);
    batch.settle(answer);
  };
}
