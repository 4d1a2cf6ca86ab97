import type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  RequestId,
} from '@inpage-mcp/transport';

/**
 * The requests of one connection that have yet to be answered, whether they wait, are worked on or
 * are streams of `subscriptions/listen`. An answer to anything else is none: its request was ended
 * before, or cancelled.
 */
export class OpenRequests {
  readonly #requests = new Map<RequestId, JsonRpcRequest>();

  /** In the order in which they came in. */
  get all(): JsonRpcRequest[] {
    return [...this.#requests.values()];
  }

  get(id: RequestId): JsonRpcRequest | undefined {
    return this.#requests.get(id);
  }

  has(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  add(request: JsonRpcRequest): void {
    this.#requests.set(request.id, request);
  }

  delete(id: RequestId): boolean {
    return this.#requests.delete(id);
  }

  clear(): void {
    this.#requests.clear();
  }
}

/** Whether a message is a request, which has to be answered. */
export function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message && message.id !== undefined;
}

/** Whether a message takes a request back. */
export function isCancellation(message: JsonRpcMessage): message is JsonRpcNotification {
  return 'method' in message && message.method === 'notifications/cancelled' && !isRequest(message);
}

/** The id of the request that is taken back. */
export function cancelledBy({ params }: JsonRpcNotification): RequestId {
  return params?.['requestId'] as RequestId;
}
