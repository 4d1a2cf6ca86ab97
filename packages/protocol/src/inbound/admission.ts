import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
} from '@inpage-mcp/transport';
import { MAX_REJECTED_IN_ROW, type FairShare } from '../fairness/fair-share.js';
import { checkBudget } from '../fairness/message-budget.js';
import { ErrorCode, type ErrorObject } from '../wire/errors.js';
import { cancelledId, isCancellation } from '../wire/messages.js';
import { rateError, requestIdOf } from './rejections.js';

/** The parts of a connection that its admission uses. */
export interface AdmissionParts {
  /** The share of the holder. */
  share: FairShare;
  /** Whether a request of the client is pending. */
  isOpen(id: RequestId): boolean;
  /** Whether a request of the server to the client is pending. */
  isAsked(id: RequestId): boolean;
  reply(answer: JsonRpcError): void;
  /** Called for each rejection. */
  report(error: Error): void;
  close(): void;
}

/** Enforces the rate of the holder on one connection, and answers rejected messages. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Counts a message against the rate. If the rate is exceeded, answers or drops the message, and
   * returns `false`. Cancelling a pending request and answering a request of the server are always
   * allowed.
   */
  admit(value: unknown): boolean {
    const { rate, limits } = this.#parts.share;
    if (rate.isUnlimited || this.#isExempt(value)) return true;
    const retryAfterMs = rate.take(performance.now());
    if (retryAfterMs === 0) return true;
    if (rate.rejectedInRow > MAX_REJECTED_IN_ROW) this.disconnect();
    else this.reject(value, rateError(limits.requestsPerSecond, retryAfterMs));
    return false;
  }

  /** Answers a rejected message; without an id, if it has no usable id or its id is in use. */
  reject(value: unknown, error: ErrorObject): void {
    const { share } = this.#parts;
    this.#parts.report(new Error(`Rejected a message: ${error.message}`));
    const id = requestIdOf(value);
    const isAnswerable = id !== undefined && !this.#parts.isOpen(id);
    // Of many messages above the rate in a row, only the first is answered.
    if (!isAnswerable && error.code === ErrorCode.ServerBusy && share.rate.rejectedInRow > 1)
      return;
    this.#parts.reply({ jsonrpc: '2.0', ...(isAnswerable && { id }), error });
  }

  /** Disconnects a client that keeps sending above its rate. */
  disconnect(): void {
    this.#parts.report(
      new Error(`Disconnected after ${MAX_REJECTED_IN_ROW} messages above the rate.`),
    );
    this.#parts.close();
  }

  /**
   * Whether a message settles an open request and is in its budget. This exempts one message for
   * each request, as the request is then no longer open.
   */
  #isExempt(value: unknown): boolean {
    if (!isJsonRpcMessage(value)) return false;
    return this.#settles(value) && !checkBudget(value, this.#parts.share.limits);
  }

  #settles(message: JsonRpcMessage): boolean {
    if (isCancellation(message)) return this.#parts.isOpen(cancelledId(message));
    return !('method' in message) && message.id !== undefined && this.#parts.isAsked(message.id);
  }
}
