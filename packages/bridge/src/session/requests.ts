import type { JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { errorAnswer, type JsonRpcAnswer } from '../wire/messages.js';
import type { Upstream } from './upstream.js';

/** A request of the host that is not answered. */
export interface OpenRequest {
  request: JsonRpcRequest;
  /** The connection that has to answer it. */
  upstream: Upstream;
}

/** The code of the errors that the bridge itself answers with (JSON-RPC: left to servers). */
const BRIDGE_ERROR = -32_000;

/** The answer to a request whose page has gone before it has answered. */
export const pageGone = ({ id, method }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, {
    code: BRIDGE_ERROR,
    message: 'The page has gone. It is unknown whether the request was carried out.',
    data: { reason: 'page-gone', method },
  });

/** The answer to one request too many. */
export const tooManyRequests = ({ id, method }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, {
    code: BRIDGE_ERROR,
    message: 'Too many requests are unanswered. Wait for answers before you send more.',
    data: { reason: 'busy', method },
  });

/** The answer to a request with the id of one that is unanswered. */
export const duplicateId = ({ id }: JsonRpcRequest): JsonRpcAnswer =>
  errorAnswer(id, { code: -32_600, message: 'A request with this id is not answered yet.' });

/** The requests of a host that are not answered, each answered once by the connection it was sent to. */
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

  /** Takes out the request that an answer belongs to, if this connection has to answer it. */
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

  /** Takes out all requests that a connection has not answered. */
  takeAll(upstream: Upstream): JsonRpcRequest[] {
    const left = [...this.#open.values()].filter((open) => open.upstream === upstream);
    for (const { request } of left) this.#open.delete(request.id);
    return left.map(({ request }) => request);
  }
}
