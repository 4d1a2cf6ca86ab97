import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';
import { Allowance } from '../fairness/allowance.js';
import { weigh } from '../fairness/message-budget.js';
import { internalError, type ErrorObject } from '../wire/errors.js';
import { isRequest } from '../wire/messages.js';
import { badId, invalidRequest, pastQueue, requestIdOf } from './refusals.js';

/** The most messages of one batch. */
const MAX_BATCH = 1_000;

type Answer = JsonRpcResult | JsonRpcError;

interface Batch {
  unanswered: number;
  answers: Answer[];
  /** What those weigh that wait for others. */
  bytes: number;
}

/** The batches of one connection whose answers are not complete yet. */
export class MessageBatches {
  /** The batch of each request that has yet to be answered. */
  readonly #batchOf = new Map<RequestId, Batch>();
  readonly #send: (answers: Answer[] | Answer) => void;
  readonly #kept: Allowance;

  /**
   * @param send Sends all the answers of a batch, as one.
   * @param kept How much the answers may weigh that wait for the others of their batch.
   */
  constructor(send: (answers: Answer[] | Answer) => void, kept = new Allowance(Infinity)) {
    this.#send = send;
    this.#kept = kept;
  }

  /**
   * Takes a batch apart. Nothing is an error for the connection: each thing in it that is no
   * message is answered as an invalid request (JSON-RPC 2.0 section 6).
   *
   * @param receive Gets each message, in order.
   * @param isOpen Whether an earlier request with this id has yet to be answered, elsewhere.
   */
  receive(
    values: readonly unknown[],
    receive: (message: JsonRpcMessage) => void,
    isOpen: (id: RequestId) => boolean,
  ): void {
    if (values.length === 0 || values.length > MAX_BATCH) {
      this.#send(invalid(`A batch holds 1 to ${MAX_BATCH} messages.`));
      return;
    }
    const messages = values.filter(isBatchable);
    const ids = new Set(messages.filter(isRequest).map(({ id }) => id));
    const own = [...ids].filter((id) => !isOpen(id));
    const batch: Batch = { unanswered: own.length, answers: [], bytes: 0 };
    for (const id of own) this.#batchOf.set(id, batch);
    const refused = values.filter((value) => !isBatchable(value));
    const refusals = refused.map((value) => refusalOf(value, ids, isOpen));
    const error = refusals.length > 0 ? this.#noRoomFor(refusals, batch) : undefined;
    // One for all of them, where there is no room.
    batch.answers.push(...(error ? [{ jsonrpc: '2.0', error } as const] : refusals));
    // One more until all are handed on: it is answered once, also where there is nothing to wait for.
    batch.unanswered += 1;
    for (const message of messages) receive(message);
    this.#countDown(batch);
  }

  /** Whether everything in a batch is a message. */
  isClean(values: readonly unknown[]): boolean {
    return values.length > 0 && values.every(isJsonRpcMessage);
  }

  /** Keeps an answer back until its batch is complete; `false` when it is of none. */
  keep(answer: Answer): boolean {
    const batch = this.#take(answer.id);
    if (!batch) return false;
    const sent = isCloneable(answer) ? answer : internalErrorAnswer(answer.id);
    const error = batch.unanswered === 1 ? undefined : this.#noRoomFor(sent, batch);
    batch.answers.push(error ? { jsonrpc: '2.0', id: answer.id, error } : sent);
    this.#countDown(batch);
    return true;
  }

  /** A request was cancelled: it gets no answer, and nothing waits for it. */
  cancel(id: RequestId): void {
    const batch = this.#take(id);
    if (batch) this.#countDown(batch);
  }

  /** The connection has ended: nothing is kept any more. */
  clear(): void {
    for (const batch of new Set(this.#batchOf.values())) {
      this.#kept.giveBack(batch.bytes);
      batch.bytes = 0;
    }
    this.#batchOf.clear();
  }

  /** Counts what is to wait with its batch; the error in its place, where there is no room for it. */
  #noRoomFor(waiting: unknown, batch: Batch): ErrorObject | undefined {
    const { left, maximum } = this.#kept;
    if (left === Infinity) return undefined;
    const budget = { messageDepth: Infinity, messageNodes: Infinity, messageBytes: left };
    const { bytes } = weigh(waiting, budget);
    if (!this.#kept.take(bytes)) return pastQueue('keptBytes', maximum, bytes);
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
    this.#kept.giveBack(batch.bytes);
    // Notifications alone are not answered.
    if (batch.answers.length > 0) this.#send(batch.answers);
  }
}

/** An `initialize` decides what a batch is: it cannot be part of one. */
function isBatchable(value: unknown): value is JsonRpcMessage {
  if (!isJsonRpcMessage(value) || ('method' in value && value.method === 'initialize'))
    return false;
  return !hasBadId(value);
}

/**
 * @param ids Those of the batch that are answered otherwise: one that is refused takes its own, so
 *   that no id is answered twice.
 */
function refusalOf(
  value: unknown,
  ids: Set<RequestId>,
  isOpen: (id: RequestId) => boolean,
): JsonRpcError {
  const id = requestIdOf(value);
  if (id === undefined || ids.has(id) || isOpen(id)) return invalid(whyNot(value));
  ids.add(id);
  return { ...invalid(whyNot(value)), id };
}

function whyNot(value: unknown): string {
  const isMessage = isJsonRpcMessage(value);
  return isMessage && hasBadId(value) ? badId().message : 'This is no message of a batch.';
}

function hasBadId(message: JsonRpcMessage): boolean {
  return isRequest(message) && requestIdOf(message) === undefined;
}

/** One that no port can carry must not take the others of its batch along. */
function isCloneable(answer: Answer): boolean {
  try {
    structuredClone(answer);
    return true;
  } catch {
    return false;
  }
}

function invalid(message: string): JsonRpcError {
  return { jsonrpc: '2.0', error: invalidRequest(message) };
}

function internalErrorAnswer(id: RequestId | undefined): JsonRpcError {
  return { jsonrpc: '2.0', id, error: internalError().toErrorObject() };
}
