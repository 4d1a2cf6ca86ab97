import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import type { ResourceChange } from './resource-provider.js';

/**
 * The uris that one connection has subscribed to, in the way of its era. What nobody listens to
 * then costs nothing, however much is written.
 */
export class SubscribedUris {
  /** How many there may be: each change is looked up among them. */
  readonly limit: number;
  /** `resources/subscribe` of the legacy revisions. */
  readonly #subscribed = new Set<string>();
  /** `subscriptions/listen` of the modern era: the uris of each stream, by the id of its request. */
  readonly #streams = new Map<RequestId, ReadonlySet<string>>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether there is room for one more stream of such uris. */
  hasRoomFor(uris: ReadonlySet<string>): boolean {
    return this.#size + sizeOf(uris) <= this.limit;
  }

  /** How many there are; one that two streams listen to counts twice. */
  get #size(): number {
    const sizes = [...this.#streams.values()].map(sizeOf);
    return sizes.reduce((sum, size) => sum + size, this.#subscribed.size);
  }

  /** Subscribing twice is subscribing once. `false` when there is no room for one more. */
  add(uri: string): boolean {
    if (!this.#subscribed.has(uri) && this.#size >= this.limit) return false;
    this.#subscribed.add(uri);
    return true;
  }

  /** What was not subscribed to may be unsubscribed from. */
  delete(uri: string): void {
    this.#subscribed.delete(uri);
  }

  /** Takes note of the streams that the client opens and ends. */
  received(message: JsonRpcMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'subscriptions/listen' && 'id' in message && message.id !== undefined) {
      this.#streams.set(message.id, listenedUris(message.params));
    } else if (message.method === 'notifications/cancelled') {
      this.#streams.delete(message.params?.['requestId'] as RequestId);
    }
  }

  /** Takes note of the streams that end otherwise: refused, or at the end of the connection. */
  sent(message: JsonRpcMessage): void {
    if ('method' in message || message.id === undefined) return;
    this.#streams.delete(message.id);
  }

  /** The streams of `subscriptions/listen` that listen to such a uri. */
  streamsWith(isSuch: (uri: string) => boolean): RequestId[] {
    return [...this.#streams].flatMap(([id, uris]) => ([...uris].some(isSuch) ? [id] : []));
  }

  /** Ends `resources/subscribe` of such uris. */
  deleteAll(isSuch: (uri: string) => boolean): void {
    for (const uri of this.#subscribed) if (isSuch(uri)) this.#subscribed.delete(uri);
  }

  /** Whether the uri is subscribed to at this moment. */
  has(uri: string): boolean {
    return this.#subscribed.has(uri) || [...this.#streams.values()].some((uris) => uris.has(uri));
  }

  /** The subscribed uris that a change is about. */
  affectedBy({ uri, andLonger }: ResourceChange): string[] {
    if (!andLonger) return this.has(uri) ? [uri] : [];
    const all = [this.#subscribed, ...this.#streams.values()].flatMap((uris) => [...uris]);
    return all.filter((subscribed) => subscribed.startsWith(uri));
  }
}

/** A stream without uris is one thing to look after, too. */
function sizeOf(uris: ReadonlySet<string>): number {
  return Math.max(1, uris.size);
}

/** The uris that a `subscriptions/listen` asks for. */
export function listenedUris(params: { [key: string]: unknown } | undefined): ReadonlySet<string> {
  const filter = params?.['notifications'] as { resourceSubscriptions?: unknown } | undefined;
  const uris = filter?.resourceSubscriptions;
  return new Set(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []);
}
