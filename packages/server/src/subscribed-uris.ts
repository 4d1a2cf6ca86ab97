import type { JsonRpcMessage, RequestId } from '@inpage-mcp/transport';
import type { Allowance } from './allowance.js';
import type { ResourceChange } from './resource-provider.js';

/**
 * The uris that one connection has subscribed to, in the way of its era. What nobody listens to
 * then costs nothing, however much is written.
 */
export class SubscribedUris {
  /** Of all connections of the holder: each change is looked up among them. */
  readonly #allowance: Allowance;
  /** `resources/subscribe` of the legacy revisions. */
  readonly #subscribed = new Set<string>();
  /** `subscriptions/listen` of the modern era: the uris of each stream, by the id of its request. */
  readonly #streams = new Map<RequestId, ReadonlySet<string>>();
  /** How many of the streams listen to each uri. */
  readonly #listened = new Map<string, number>();

  /** @param allowance One that two streams listen to counts twice. */
  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** How many the holder may have. */
  get limit(): number {
    return this.#allowance.maximum;
  }

  /** Whether there is room for one more stream of such uris. */
  hasRoomFor(uris: ReadonlySet<string>): boolean {
    return this.#allowance.has(sizeOf(uris));
  }

  /** Subscribing twice is subscribing once. `false` when there is no room for one more. */
  add(uri: string): boolean {
    if (this.#subscribed.has(uri)) return true;
    if (!this.#allowance.take(1)) return false;
    this.#subscribed.add(uri);
    return true;
  }

  /** What was not subscribed to may be unsubscribed from. */
  delete(uri: string): void {
    if (this.#subscribed.delete(uri)) this.#allowance.giveBack(1);
  }

  /** Takes note of the streams that the client opens and ends. */
  received(message: JsonRpcMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'subscriptions/listen' && 'id' in message && message.id !== undefined) {
      this.#open(message.id, listenedUris(message.params));
    } else if (message.method === 'notifications/cancelled') {
      this.#end(message.params?.['requestId'] as RequestId);
    }
  }

  /** Takes note of the streams that end otherwise: refused, or at the end of the connection. */
  sent(message: JsonRpcMessage): void {
    if ('method' in message || message.id === undefined) return;
    this.#end(message.id);
  }

  /** The streams of `subscriptions/listen` that listen to such a uri. */
  streamsWith(isSuch: (uri: string) => boolean): RequestId[] {
    return [...this.#streams].flatMap(([id, uris]) => ([...uris].some(isSuch) ? [id] : []));
  }

  /** Ends `resources/subscribe` of such uris. */
  deleteAll(isSuch: (uri: string) => boolean): void {
    for (const uri of this.#subscribed) if (isSuch(uri)) this.delete(uri);
  }

  /** The connection has ended. */
  clear(): void {
    this.deleteAll(() => true);
    for (const id of this.#streams.keys()) this.#end(id);
  }

  /** Whether the uri is subscribed to at this moment. */
  has(uri: string): boolean {
    return this.#subscribed.has(uri) || this.#listened.has(uri);
  }

  /** The subscribed uris that a change is about. */
  affectedBy({ uri, andLonger }: ResourceChange): string[] {
    if (!andLonger) return this.has(uri) ? [uri] : [];
    const all = [...this.#subscribed, ...this.#listened.keys()];
    return all.filter((subscribed) => subscribed.startsWith(uri));
  }

  #open(id: RequestId, uris: ReadonlySet<string>): void {
    this.#end(id);
    // In the legacy era, where nobody looked whether there is room: it is about to be refused.
    if (!this.#allowance.take(sizeOf(uris))) return;
    this.#streams.set(id, uris);
    for (const uri of uris) this.#listened.set(uri, (this.#listened.get(uri) ?? 0) + 1);
  }

  #end(id: RequestId): void {
    const uris = this.#streams.get(id);
    if (!uris) return;
    this.#streams.delete(id);
    this.#allowance.giveBack(sizeOf(uris));
    for (const uri of uris) {
      const left = this.#listened.get(uri)! - 1;
      if (left === 0) this.#listened.delete(uri);
      else this.#listened.set(uri, left);
    }
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
