import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { notification, type JsonRpcAnswer } from '../wire/messages.js';
import type { Upstream } from './upstream.js';

interface Question {
  /** The id that the server has chosen. */
  id: RequestId;
  upstream: Upstream;
}

/**
 * The requests of servers to the host, such as elicitation. Each gets an id that is unique in the session:
 * two pages may choose the same ids, and an answer to one page must never reach the other.
 */
export class Questions {
  readonly #open = new Map<RequestId, Question>();
  #lastId = 0;

  /** The request as it is sent to the host. */
  add(request: JsonRpcRequest, upstream: Upstream): JsonRpcRequest {
    this.#lastId += 1;
    const id = `inpage-bridge-${this.#lastId}`;
    this.#open.set(id, { id: request.id, upstream });
    return { ...request, id };
  }

  /** The answer as it is sent to the server that has asked; `undefined` if the question is not open. */
  answer(answer: JsonRpcAnswer): { answer: JsonRpcAnswer; upstream: Upstream } | undefined {
    const question = answer.id === undefined ? undefined : this.#open.get(answer.id);
    if (!question || answer.id === undefined) return undefined;
    this.#open.delete(answer.id);
    return { answer: { ...answer, id: question.id }, upstream: question.upstream };
  }

  /** Forgets a question that a server has cancelled; returns its id at the host. */
  cancel(id: unknown, upstream: Upstream): RequestId | undefined {
    for (const [outerId, question] of this.#open)
      if (question.id === id && question.upstream === upstream) {
        this.#open.delete(outerId);
        return outerId;
      }
    return undefined;
  }

  /** Forgets all questions of a server; returns the notifications for the host. */
  cancelAll(upstream: Upstream, reason: string): JsonRpcMessage[] {
    const ids = [...this.#open].filter(([, question]) => question.upstream === upstream);
    return ids.map(([requestId]) => {
      this.#open.delete(requestId);
      return notification('notifications/cancelled', { requestId, reason });
    });
  }
}
