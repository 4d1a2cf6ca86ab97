import type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  RequestId,
} from '@inpage-mcp/transport';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';

/**
 * What is known of a request until it is answered, however large it was: a stream is open for as
 * long as its client likes.
 */
export interface OpenRequest {
  id: RequestId;
  method: string;
  /** What is read. */
  uri?: string;
  /** Whether it is one of the modern era. */
  isModern: boolean;
}

/**
 * The requests of one connection that have yet to be answered, whether they wait, are worked on or
 * are streams of `subscriptions/listen`. An answer to anything else is none: its request was ended
 * before, or cancelled.
 */
export class OpenRequests {
  readonly #requests = new Map<RequestId, OpenRequest>();

  /** In the order in which they came in. */
  get all(): OpenRequest[] {
    return [...this.#requests.values()];
  }

  get(id: RequestId): OpenRequest | undefined {
    return this.#requests.get(id);
  }

  has(id: RequestId): boolean {
    return this.#requests.has(id);
  }

  add({ id, method, params }: JsonRpcRequest): void {
    const meta = params?.['_meta'] as { [key: string]: unknown } | undefined;
    const isModern = meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
    const uri = method === 'resources/read' ? params?.['uri'] : undefined;
    const known = { id, method, isModern };
    this.#requests.set(id, typeof uri === 'string' ? { ...known, uri } : known);
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
