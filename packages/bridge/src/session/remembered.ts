import { META } from '@inpage-mcp/protocol';
import type {
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  RequestId,
} from '@inpage-mcp/transport';
import { isObject } from '../wire/frames.js';
import { MAX_SUBSCRIPTIONS } from '../wire/limits.js';
import { notification, type JsonRpcAnswer } from '../wire/messages.js';

/** The names of the lists, which may differ from page to page. */
const LISTS = ['tools', 'prompts', 'resources'] as const;

/** The method that opens a stream in the modern era. */
export const LISTEN = 'subscriptions/listen';

/**
 * The state of a session that is repeated to another server: the handshake, the level of log messages, and
 * the subscriptions of both eras.
 */
export class Remembered {
  #initialize: JsonRpcRequest | undefined;
  #revision: string | undefined;
  #isInitialized = false;
  #setLevel: JsonRpcRequest | undefined;
  readonly #subscribed = new Set<string>();
  readonly #streams = new Map<RequestId, JsonRpcRequest>();
  readonly #acknowledged = new Set<RequestId>();
  #lastReplay = 0;

  /**
   * Whether the host accepts questions with a form at any time, also without a call. An empty `elicitation`
   * means forms (MCP 2025-11-25, client/elicitation).
   */
  get takesElicitation(): boolean {
    const capabilities = this.#initialize?.params?.['capabilities'];
    const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
    if (!this.#isInitialized || !isObject(elicitation)) return false;
    return 'form' in elicitation || !('url' in elicitation);
  }

  /** Records a request that is sent to a server. */
  onrequest(request: JsonRpcRequest): void {
    if (request.method === 'initialize') this.#initialize = request;
    if (request.method === LISTEN) this.#streams.set(request.id, request);
  }

  /** Records a request that a server has answered. */
  onanswer({ id, method, params }: JsonRpcRequest, answer: JsonRpcAnswer): void {
    if (method === LISTEN) this.endStream(id);
    if (!('result' in answer)) return;
    if (method === 'initialize') {
      const { protocolVersion } = answer.result;
      if (typeof protocolVersion === 'string') this.#revision = protocolVersion;
    }
    if (method === 'logging/setLevel') this.#setLevel = { jsonrpc: '2.0', id, method, params };
    const uri = params?.['uri'];
    if (typeof uri !== 'string') return;
    if (method === 'resources/unsubscribe') this.#subscribed.delete(uri);
    if (method === 'resources/subscribe' && this.#subscribed.size < MAX_SUBSCRIPTIONS)
      this.#subscribed.add(uri);
  }

  /** Records that the handshake is complete. */
  oninitialized(): void {
    this.#isInitialized = true;
  }

  /** Forgets a stream that has ended. Does nothing for other requests. */
  endStream(id: RequestId): void {
    this.#acknowledged.delete(id);
    this.#streams.delete(id);
  }

  /** Whether this stream was acknowledged to the host before. Marks it as acknowledged. */
  isRepeated({ method, params }: JsonRpcNotification): boolean {
    if (method !== 'notifications/subscriptions/acknowledged') return false;
    const meta = params?.['_meta'];
    const id = isObject(meta) ? (meta[META.subscriptionId] as RequestId) : undefined;
    if (id === undefined || !this.#streams.has(id)) return false;
    const isRepeated = this.#acknowledged.has(id);
    this.#acknowledged.add(id);
    return isRepeated;
  }

  /**
   * The first messages to another server. The answers to requests with an id in `ownIds` must not reach the
   * host.
   */
  replay(): { messages: JsonRpcMessage[]; ownIds: RequestId[] } {
    const ownIds: RequestId[] = [];
    const own = ({ method, params }: Pick<JsonRpcRequest, 'method' | 'params'>): JsonRpcRequest => {
      this.#lastReplay += 1;
      const id = `inpage-bridge-replay-${this.#lastReplay}`;
      ownIds.push(id);
      return { jsonrpc: '2.0', id, method, ...(params && { params }) };
    };
    const messages = [...this.#handshake(own), ...this.#streams.values()];
    return { messages, ownIds };
  }

  *#handshake(
    own: (request: Pick<JsonRpcRequest, 'method' | 'params'>) => JsonRpcRequest,
  ): Generator<JsonRpcMessage> {
    // While `initialize` has no answer, the session passes on the host's own request, or rejects it.
    if (!this.#initialize || this.#revision === undefined) return;
    const { method, params } = this.#initialize;
    yield own({ method, params: { ...params, protocolVersion: this.#revision } });
    if (!this.#isInitialized) return;
    yield notification('notifications/initialized');
    if (this.#setLevel) yield own(this.#setLevel);
    for (const uri of this.#subscribed)
      yield own({ method: 'resources/subscribe', params: { uri } });
  }

  /** The notifications to the host after another server has taken over: everything may have changed. */
  *changes(): Generator<JsonRpcNotification> {
    if (this.#isInitialized) {
      for (const list of LISTS) yield notification(`notifications/${list}/list_changed`);
      for (const uri of this.#subscribed)
        yield notification('notifications/resources/updated', { uri });
    }
    for (const [id, { params }] of this.#streams) {
      if (!this.#acknowledged.has(id)) continue;
      const filter = params?.['notifications'];
      if (isObject(filter)) yield* streamChanges(filter, { [META.subscriptionId]: id });
    }
  }
}

function* streamChanges(
  filter: { readonly [key: string]: unknown },
  _meta: { [key: string]: RequestId },
): Generator<JsonRpcNotification> {
  for (const list of LISTS)
    if (filter[`${list}ListChanged`] === true)
      yield notification(`notifications/${list}/list_changed`, { _meta });
  const uris = filter['resourceSubscriptions'];
  for (const uri of Array.isArray(uris) ? (uris as unknown[]) : [])
    if (typeof uri === 'string')
      yield notification('notifications/resources/updated', { uri, _meta });
}
