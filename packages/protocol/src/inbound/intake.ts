import {
  END_OF_STREAM,
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
} from '@inpage-mcp/transport';
import type { ClientRequests } from '../calls/client-requests.js';
import { MAX_REJECTED_IN_ROW } from '../fairness/fair-share.js';
import { checkBudget, measure } from '../fairness/message-budget.js';
import type { Quota } from '../fairness/quota.js';
import { ErrorCode, type ErrorObject } from '../wire/errors.js';
import { cancelledId, isCancellation, isRequest } from '../wire/messages.js';
import { Batch, splitBatch } from './batch.js';
import { UNANSWERED, INBOUND_STEPS, type Arrival, type InboundParts } from './inbound-steps.js';
import { batchLengthError, budgetError, rateError, requestIdOf } from './rejections.js';

/** The parts that an {@link Intake} uses, and the targets to which it dispatches messages. */
export interface IntakeParts {
  inbound: InboundParts;
  /** The requests to the client, which a message may answer. */
  client: ClientRequests;
  /** The quota for the kept data of the connection's messages. */
  kept: Quota;
  /** Whether the connection has ended. Messages are then ignored. */
  isEnded(): boolean;
  /** Whether the revision of the client has batches. */
  takesBatches(): boolean;
  /** Sends an answer, or all answers of a batch. */
  post(answer: JsonRpcError | (JsonRpcResult | JsonRpcError)[]): void;
  onrequest(request: JsonRpcRequest, arrival: Arrival): void;
  oncancel(message: JsonRpcNotification): void;
  /** Called with any other notification. */
  onnotification(message: JsonRpcNotification): void;
  /** Called when the client has ended the connection. */
  onend(): void;
  /** Ends the connection, for its client too. */
  disconnect(): void;
  report(error: Error): void;
}

/**
 * Receives the messages of a port: enforces the rate of the holder, checks each message, and
 * dispatches it by its kind. Rejected messages are answered here.
 */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  receive(value: unknown): void {
    const { inbound, isEnded, takesBatches, onend } = this.#parts;
    if (isEnded()) return;
    if (value === END_OF_STREAM) return onend();
    if (Array.isArray(value) && takesBatches()) return this.#receiveBatch(value);
    const arrival: Arrival = { value, bytes: 0, batch: undefined };
    if (!this.#admit(arrival)) return;
    for (const step of INBOUND_STEPS.message) {
      const error = step(arrival, inbound);
      if (error === UNANSWERED) return this.#report('Dropped a malformed answer.');
      if (error) return this.#reject(arrival, error);
    }
    this.#take(arrival);
  }

  /** Disconnects a client that keeps sending above its rate. */
  disconnect(): void {
    this.#report(`Disconnected after ${MAX_REJECTED_IN_ROW} messages above the rate.`);
    this.#parts.disconnect();
  }

  /**
   * Receives the messages of a batch. Each message counts against the rate; all values in the batch that are
   * not messages count once.
   */
  #receiveBatch(values: readonly unknown[]): void {
    const { inbound, kept, isEnded, post } = this.#parts;
    const { limits } = inbound.share;
    const whole: Arrival = { value: values, bytes: 0, batch: undefined };
    // Each message in the batch may have the full depth.
    const budget = { ...limits, messageDepth: limits.messageDepth + 1 };
    const violation = checkBudget(values, budget);
    const error = violation ? budgetError(violation) : batchLengthError(values.length);
    if (error) {
      if (this.#admit(whole)) this.#reject(whole, error);
      return;
    }
    const { messages, rejections } = splitBatch(values, (id) => inbound.open.has(id));
    const batch = new Batch(post, kept);
    if (rejections.length > 0) {
      this.#admit(whole);
      // Too many rejections end the connection, which releases all kept data.
      if (isEnded()) return;
      batch.add(rejections);
    }
    for (const value of messages) {
      // The previous message may have ended the connection, which releases all kept data.
      if (isEnded()) return;
      const arrival = { value, bytes: measure(value, limits).bytes, batch };
      if (this.#admit(arrival)) this.#take(arrival);
    }
    if (!isEnded()) batch.settle(undefined);
  }

  /**
   * Counts a message against the rate. If the rate is exceeded, answers or drops the message, and
   * returns `false`. Cancelling a pending request and answering a request of the server are always
   * allowed.
   */
  #admit(arrival: Arrival): boolean {
    const { rate, limits } = this.#parts.inbound.share;
    if (rate.isUnlimited || this.#isExempt(arrival.value)) return true;
    const retryAfterMs = rate.take(performance.now());
    if (retryAfterMs === 0) return true;
    if (rate.rejectedInRow > MAX_REJECTED_IN_ROW) this.disconnect();
    else this.#reject(arrival, rateError(limits.requestsPerSecond, retryAfterMs));
    return false;
  }

  /**
   * Whether a message settles an open request and is in its budget. This exempts one message for each
   * request, because the request is then no longer open.
   */
  #isExempt(value: unknown): boolean {
    if (!isJsonRpcMessage(value)) return false;
    return this.#settles(value) && !checkBudget(value, this.#parts.inbound.share.limits);
  }

  #settles(message: JsonRpcMessage): boolean {
    const { inbound, client } = this.#parts;
    if (isCancellation(message)) return inbound.open.has(cancelledId(message));
    return !('method' in message) && message.id !== undefined && client.has(message.id);
  }

  /** Answers a rejected message; without an id, if it has no usable id or its id is in use. */
  #reject({ value, batch }: Arrival, error: ErrorObject): void {
    const { inbound, post } = this.#parts;
    this.#report(`Rejected a message: ${error.message}`);
    const id = requestIdOf(value);
    const isAnswerable = id !== undefined && !inbound.open.has(id);
    // Of many messages above the rate in a row, only the first is answered.
    const isRepeated = error.code === ErrorCode.ServerBusy && inbound.share.rate.rejectedInRow > 1;
    if (!isAnswerable && isRepeated) return;
    const answer = { jsonrpc: '2.0', ...(isAnswerable && { id }), error } as const;
    if (batch && isAnswerable) batch.add([answer], id);
    else post(answer);
  }

  #take(arrival: Arrival): void {
    const { inbound, client, onrequest, oncancel, onnotification } = this.#parts;
    const message = arrival.value as JsonRpcMessage;
    if (isRequest(message)) {
      for (const step of INBOUND_STEPS.request) {
        const error = step(arrival, inbound);
        if (error) return this.#reject(arrival, error);
      }
      onrequest(message, arrival);
    } else if (isCancellation(message)) oncancel(message);
    else if ('method' in message) onnotification(message as JsonRpcNotification);
    else if (!client.settle(message)) {
      this.#report('Dropped an answer without a request.');
    }
  }

  #report(text: string): void {
    this.#parts.report(new Error(text));
  }
}
