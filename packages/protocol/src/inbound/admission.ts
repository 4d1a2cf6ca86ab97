import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type RequestId,
} from '@inpage-mcp/transport';
import { MAX_REFUSED_IN_ROW, type FairShare } from '../fairness/fair-share.js';
import { checkBudget } from '../fairness/message-budget.js';
import { ErrorCode, type ErrorObject } from '../wire/errors.js';
import { cancelledBy, isCancellation } from '../wire/messages.js';
import { pastRate, requestIdOf } from './refusals.js';

/** What the admission to a connection looks at, and does. */
export interface AdmissionParts {
  /** That of the holder of the connection. */
  share: FairShare;
  /** Whether a request of the client is unanswered. */
  isOpen(id: RequestId): boolean;
  /** Whether a request of the server is unanswered. */
  isAsked(id: RequestId): boolean;
  reply(answer: JsonRpcError): void;
  /** Hears of each refusal. */
  report(error: Error): void;
  close(): void;
}

/**
 * Decides at the door of one connection: by the rate of its holder, and with an answer for what is
 * refused.
 */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Whether there may be one more message now; one that may not be is answered or dropped here. To
   * cancel what is under way and to answer what the server has asked are always possible.
   */
  isInRate(value: unknown): boolean {
    const { rate, limits } = this.#parts.share;
    if (rate.isUnlimited || this.#isAboutOpen(value)) return true;
    const retryAfterMs = rate.take(performance.now());
    if (retryAfterMs === 0) return true;
    if (rate.refusedInRow > MAX_REFUSED_IN_ROW) this.sendAway();
    else this.refuse(value, pastRate(limits.requestsPerSecond, retryAfterMs));
    return false;
  }

  /** Answers what is not let in, without an id where there is none that it would be the answer to. */
  refuse(value: unknown, error: ErrorObject): void {
    const { share } = this.#parts;
    this.#parts.report(new Error(`Refused a message: ${error.message}`));
    const id = requestIdOf(value);
    const isAnswerable = id !== undefined && !this.#parts.isOpen(id);
    // What is too much is not answered too much: the first in a row is, for all of them.
    if (!isAnswerable && error.code === ErrorCode.ServerBusy && share.rate.refusedInRow > 1) return;
    this.#parts.reply({ jsonrpc: '2.0', ...(isAnswerable && { id }), error });
  }

  /** Closes the connection of a client that goes on and on. */
  sendAway(): void {
    this.#parts.report(new Error(`Closed a connection: ${MAX_REFUSED_IN_ROW} messages too many.`));
    this.#parts.close();
  }

  /** Once: what is answered or cancelled is open no longer. So one that is refused does not count. */
  #isAboutOpen(value: unknown): boolean {
    if (!isJsonRpcMessage(value)) return false;
    return this.#settles(value) && !checkBudget(value, this.#parts.share.limits);
  }

  #settles(message: JsonRpcMessage): boolean {
    if (isCancellation(message)) return this.#parts.isOpen(cancelledBy(message));
    return !('method' in message) && message.id !== undefined && this.#parts.isAsked(message.id);
  }
}
