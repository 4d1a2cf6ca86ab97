import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import { Quota } from '../fairness/quota.js';
import { measure } from '../fairness/message-budget.js';
import { internalError, type ErrorObject } from '../wire/errors.js';
import { isRequest } from '../wire/messages.js';
import { badIdError, invalidRequest, queueError, requestIdOf } from './rejections.js';

/** The most messages of one batch. */
const MAX_BATCH = 1_000;

type Answer = JsonRpcResult | JsonRpcError;

interface Batch {
  unanswered: number;
  answers: Answer[];
  /** The size of the answers that wait for others. */
  bytes: number;
}

/** The batches of one connection that are not completely answered. */
export class MessageBatches {
  /** The batch of each unanswered request. */
  readonly #batchOf = new Map<RequestId, Batch>();
  readonly #send: (answers: Answer[] | Answer) => void;
  readonly #kept: Quota;

  /**
   * @param send Sends all answers of a batch as one message.
   * @param kept The quota for the size of answers that wait for the rest of their batch.
   */
  constructor(send: (answers: Answer[] | Answer) => void, kept = new Quota(Infinity)) {
    this.#send = send;
    this.#kept = kept;
  }

  /**
   * Splits a batch into its messages. Each value in it that is not a message is answered as an
   * invalid request (JSON-RPC 2.0 section 6).
   *
   * @param receive Called with each message, in order.
   * @param isOpen Whether an earlier request outside the batch has this id and is unanswered.
   */
  receive(
    values: readonly unknown[],
    receive: (message: JsonRpcMessage) => void,
    isOpen: (id: RequestId) => boolean,
  ): void {
    if (values.length === 0 || values.length > MAX_BATCH) {
      this.#send(invalidAnswer(`A batch holds 1 to ${MAX_BATCH} messages.`));
      return;
    }
    const messages = values.filter(isBatchable);
    const ids = new Set(messages.filter(isRequest).map(({ id }) => id));
    const own = [...ids].filter((id) => !isOpen(id));
    const batch: Batch = { unanswered: own.length, answers: [], bytes: 0 };
    for (const id of own) this.#batchOf.set(id, batch);
    const rejected = values.filter((value) => !isBatchable(value));
    const rejections = rejected.map((value) => rejectionOf(value, ids, isOpen));
    const error = rejections.length > 0 ? this.#takeQuota(rejections, batch) : undefined;
    // If the quota is used up, one error stands for all of them.
    batch.answers.push(...(error ? [{ jsonrpc: '2.0', error } as const] : rejections));
    // Count one more until all messages are received, so that the batch is answered only once, also
    // if it has no pending requests.
    batch.unanswered += 1;
    for (const message of messages) receive(message);
    this.#countDown(batch);
  }

  /** Whether each value in a batch is a message; `false` for an empty batch. */
  hasOnlyMessages(values: readonly unknown[]): boolean {
    return values.length > 0 && values.every(isJsonRpcMessage);
  }

  /** Holds an answer until its batch is complete; `false` if it belongs to no batch. */
  keep(answer: Answer): boolean {
    const batch = this.#take(answer.id);
    if (!batch) return false;
    const sent = isCloneable(answer) ? answer : internalErrorAnswer(answer.id);
    const error = batch.unanswered === 1 ? undefined : this.#takeQuota(sent, batch);
    batch.answers.push(error ? { jsonrpc: '2.0', id: answer.id, error } : sent);
    this.#countDown(batch);
    return true;
  }

  /** Removes a cancelled request from its batch: it gets no answer. */
  cancel(id: RequestId): void {
    const batch = this.#take(id);
    if (batch) this.#countDown(batch);
  }

  /** Drops all batches: the connection has ended. */
  clear(): void {
    for (const batch of new Set(this.#batchOf.values())) {
      this.#kept.release(batch.bytes);
      batch.bytes = 0;
    }
    this.#batchOf.clear();
  }

  /**
   * Counts what has to wait with its batch. If the quota is used up, returns the error to send
   * instead.
   */
  #takeQuota(waiting: unknown, batch: Batch): ErrorObject | undefined {
    const { left, maximum } = this.#kept;
    if (left === Infinity) return undefined;
    const budget = { messageDepth: Infinity, messageNodes: Infinity, messageBytes: left };
    const { bytes } = measure(waiting, budget);
    if (!this.#kept.take(bytes)) return queueError('keptBytes', maximum, bytes);
    batch.bytes += bytes;
    return undefined;
  }

  #take(id: RequestId | undefined): Batch | undefined {
    const batch = id === undefined ? undefined : this.#batchOf.get(id);
    if (id !== undefined) this.#batchOf.delete(id);
    return batch;
  }

  #countDown(batch: Batch): void {
    batch.unanswered -= 1;
    if (batch.unanswered > 0) return;
    this.#kept.release(batch.bytes);
    // A batch of notifications is not answered.
    if (batch.answers.length > 0) this.#send(batch.answers);
  }
}

/** An `initialize` decides whether batches exist: it cannot be part of one. */
function isBatchable(value: unknown): value is JsonRpcMessage {
  if (!isJsonRpcMessage(value) || ('method' in value && value.method === 'initialize'))
    return false;
  return !hasBadId(value);
}

/**
 * @param ids The ids of the batch that get an answer. A rejection adds its own id, so that no id is
 *   answered twice.
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

/** Whether a port can carry an answer: otherwise no answer of its batch could be sent. */
function isCloneable(answer: Answer): boolean {
  try {
    structuredClone(answer);
    return true;
  } catch {
    return false;
  }
}

function invalidAnswer(message: string): JsonRpcError {
  return { jsonrpc: '2.0', error: invalidRequest(message) };
}

function internalErrorAnswer(id: RequestId | undefined): JsonRpcError {
  return { jsonrpc: '2.0', id, error: internalError().toErrorObject() };
}
