import { internalErrorAnswer } from './protocol-errors.js';
import {
  isJsonRpcMessage,
  type JsonRpcError,
  type JsonRpcMessage,
  type JsonRpcResult,
  type RequestId,
} from '@inpage-mcp/transport';

import { isRequest } from './open-requests.js';

/** The one revision that has batches: servers must take them (Base Protocol › Messages). */
export const REVISION_WITH_BATCHES = '2025-03-26';

/** The most messages of one batch. */
const MAX_BATCH = 1_000;

const INVALID_REQUEST = -32600;

type Answer = JsonRpcResult | JsonRpcError;

interface Batch {
  unanswered: Set<RequestId>;
  answers: Answer[];
}

/** The batches of one connection whose answers are not complete yet. */
export class MessageBatches {
  readonly #open = new Set<Batch>();
  readonly #send: (answers: Answer[] | Answer) => void;

  /** @param send Sends all the answers of a batch, as one. */
  constructor(send: (answers: Answer[] | Answer) => void) {
    this.#send = send;
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
    const ids = messages.filter(isRequest).map(({ id }) => id);
    const answers = values.filter((value) => !isBatchable(value)).map(refusalOf);
    const batch = { unanswered: new Set(ids.filter((id) => !isOpen(id))), answers };
    this.#open.add(batch);
    for (const message of messages) receive(message);
    this.#finish(batch);
  }

  /** Keeps an answer back until its batch is complete; `false` when it is of none. */
  keep(answer: Answer): boolean {
    const { id } = answer;
    const batch = id === undefined ? undefined : this.#batchOf(id);
    if (id === undefined || !batch) return false;
    batch.unanswered.delete(id);
    batch.answers.push(isCloneable(answer) ? answer : internalErrorAnswer(answer.id));
    this.#finish(batch);
    return true;
  }

  /** A request was cancelled: it gets no answer, and nothing waits for it. */
  cancel(id: RequestId): void {
    const batch = this.#batchOf(id);
    batch?.unanswered.delete(id);
    if (batch) this.#finish(batch);
  }

  #batchOf(id: RequestId): Batch | undefined {
    for (const batch of this.#open) if (batch.unanswered.has(id)) return batch;
    return undefined;
  }

  #finish(batch: Batch): void {
    if (batch.unanswered.size > 0 || !this.#open.delete(batch)) return;
    // Notifications alone are not answered.
    if (batch.answers.length > 0) this.#send(batch.answers);
  }
}

/** An `initialize` decides what a batch is: it cannot be part of one. */
function isBatchable(value: unknown): value is JsonRpcMessage {
  return isJsonRpcMessage(value) && !('method' in value && value.method === 'initialize');
}

function refusalOf(value: unknown): JsonRpcError {
  const answer = invalid('This is no message of a batch.');
  return isJsonRpcMessage(value) && 'id' in value ? { ...answer, id: value.id } : answer;
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
  return { jsonrpc: '2.0', error: { code: INVALID_REQUEST, message } };
}
