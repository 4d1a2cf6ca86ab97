import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { errorAnswer, type JsonRpcAnswer } from '../wire/messages.js';
import type { Upstream } from './upstream.js';

/** An unanswered request of the host. */
export interface OpenRequest {
  request: JsonRpcRequest;
  /** The connection that has to answer it. */
  upstream: Upstream;
}

/** The code of the bridge's own errors, from the range that JSON-RPC leaves to servers. */
const BRIDGE_ERROR = -32_000;

/** The answer to a request if its page has disconnected before it has answered. */
export const pageGone = ({ id, method }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, {
    code: BRIDGE_ERROR,
    message: 'The page has disconnected. It is unknown whether the request was carried out.',
    data: { reason: 'page-gone', method },
  });

/** The answer to a request past the limit of unanswered requests. */
export const tooManyRequests = ({ id, method }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, {
    code: BRIDGE_ERROR,
    message: 'Too many requests are unanswered. Wait for answers before you send more.',
    data: { reason: 'busy', method },
  });

/** The answer to a request that has the id of another unanswered request. */
export const duplicateId = ({ id }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, { code: -32_600, message: 'A request with this id is not answered yet.' });

/** The unanswered requests of a host. Only the connection to which a request was sent can answer it, once. */
export class OpenRequests {
  readonly #open = new Map<RequestId, OpenRequest>();

  get size(): number {
    return this.#open.size;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  add(request: JsonRpcRequest, upstream: Upstream): void {
    this.#open.set(request.id, { request, upstream });
  }

  /** Removes and returns the request that an answer belongs to, if this connection has to answer it. */
  settle(id: RequestId, upstream: Upstream): JsonRpcRequest | undefined {
    const open = this.#open.get(id);
    if (open?.upstream !== upstream) return undefined;
    this.#open.delete(id);
    return open.request;
  }

  /** Forgets a request that the host has cancelled. */
  delete(id: RequestId): void {
    this.#open.delete(id);
  }

  /** Removes and returns all requests that a connection has not answered. */
  takeAll(upstream: Upstream): JsonRpcRequest[] {
    const left = [...this.#open.values()].filter((open) => open.upstream === upstream);
    for (const { request } of left) this.#open.delete(request.id);
    return left.map(({ request }) => request);
  }
}
