import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import type { BatchOfCall } from '../calls/pending-call.js';
import type { Quota } from '../fairness/quota.js';
import { measure } from '../fairness/message-budget.js';
import type { ErrorObject } from '../wire/errors.js';
import { isRequest } from '../wire/messages.js';
import { badIdError, invalidRequest, queueError, requestIdOf } from './rejections.js';

type Answer = JsonRpcResult | JsonRpcError;

/** The answers to one batch, which are sent together, as one message. */
export class Batch implements BatchOfCall {
  readonly #send: (answers: Answer[]) => void;
  readonly #kept: Quota;
  readonly #answers: Answer[] = [];
  /** The size of the answers that wait for others. */
  #bytes = 0;
  /** The requests without an answer, and one more until all messages are received. */
  #pendingCount = 1;

  /**
   * @param send Sends the answers. Called once, unless no message of the batch is answered.
   * @param kept The quota for the size of answers that wait for others.
   */
  constructor(send: (answers: Answer[]) => void, kept: Quota) {
    this.#send = send;
    this.#kept = kept;
  }

  /**
   * Adds answers. If the quota is used up, adds one error in their place.
   *
   * @param id The id of that error. Default: none.
   */
  add(answers: readonly Answer[], id?: RequestId): void {
    const error = this.#takeQuota(answers);
    if (error) this.#answers.push({ jsonrpc: '2.0', ...(id !== undefined && { id }), error });
    else this.#answers.push(...answers);
  }

  /** Waits for one more request, until it is settled. */
  expect(): void {
    this.#pendingCount += 1;
  }

  settle(answer: Answer | undefined): void {
    if (answer) {
      // The last answer does not wait.
      if (this.#pendingCount === 1) this.#answers.push(answer);
      else this.add([answer], answer.id);
    }
    this.#pendingCount -= 1;
    if (this.#pendingCount > 0) return;
    this.#kept.release(this.#bytes);
    // A batch of notifications is not answered.
    if (this.#answers.length > 0) this.#send(this.#answers);
  }

  /** Counts answers that have to wait; returns an error if the quota is used up. */
  #takeQuota(waiting: readonly Answer[]): ErrorObject | undefined {
    const { left, maximum } = this.#kept;
    if (left === Infinity) return undefined;
    const budget = { messageDepth: Infinity, messageNodes: Infinity, messageBytes: left };
    const { bytes } = measure(waiting, budget);
    if (!this.#kept.take(bytes)) return queueError('keptBytes', maximum, bytes);
    this.#bytes += bytes;
    return undefined;
  }
}

/**
 * Splits a batch into its messages, and the answers to all other values in it: each is an invalid
 * request (JSON-RPC 2.0 section 6).
 *
 * @param isOpen Whether an earlier request outside the batch has this id and is unanswered.
 */
export function splitBatch(
  values: readonly unknown[],
  isOpen: (id: RequestId) => boolean,
): { messages: JsonRpcMessage[]; rejections: JsonRpcError[] } {
  const messages = values.filter(isBatchable);
  const ids = new Set(messages.filter(isRequest).map(({ id }) => id));
  const rejected = values.filter((value) => !isBatchable(value));
  return { messages, rejections: rejected.map((value) => rejectionOf(value, ids, isOpen)) };
}

/**
 * Whether a message can be part of a batch. An `initialize` cannot, because it decides whether batches exist.
 */
function isBatchable(value: unknown): value is JsonRpcMessage {
  if (!isJsonRpcMessage(value) || ('method' in value && value.method === 'initialize'))
    return false;
  return !hasBadId(value);
}

/**
 * The error for a message that is rejected.
 *
 * @param ids The ids of the batch that get an answer. A rejection adds its own id, so that no id is answered
 *   twice.
 */
function rejectionOf(
  value: unknown,
  ids: Set<RequestId>,
  isOpen: (id: RequestId) => boolean,
): JsonRpcError {
  const id = requestIdOf(value);
  if (id === undefined || ids.has(id) || isOpen(id)) return invalidAnswer(reasonFor(value));
  ids.add(id);
  return { ...invalidAnswer(reasonFor(value)), id };
}

function reasonFor(value: unknown): string {
  const isMessage = isJsonRpcMessage(value);
  return isMessage && hasBadId(value) ? badIdError().message : 'This is no message of a batch.';
}

function hasBadId(message: JsonRpcMessage): boolean {
  return isRequest(message) && requestIdOf(message) === undefined;
}

function invalidAnswer(message: string): JsonRpcError {
  return { jsonrpc: '2.0', error: invalidRequest(message) };
}
