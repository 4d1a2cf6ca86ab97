import type { RequestId } from '@inpage-mcp/transport';
import type { Meta } from '../wire/types.js';
import type { Quota } from '../fairness/quota.js';

/** A change of a resource. */
export interface ResourceChange {
  /** The uri of the resource that has changed. */
  uri: string;
  /** Whether more than the size and time of an entry of `resources/list` has changed. */
  listChanged: boolean;
  /** Whether every uri that begins with this one has also changed. Default: false. */
  andLonger?: boolean;
}

/** The author of a change, as far as the client that is notified of it may know the author. */
export interface ChangedBy {
  /** Whether the author is this client, or the user of its page. */
  own: boolean;
  /** The `_meta` of the notification about the author, in the modern era. */
  meta: Meta;
}

/**
 * Called with changes.
 *
 * @param changedBy The author of the changes. Default: unknown.
 */
export type ResourceChangeListener = (
  changes: readonly ResourceChange[],
  changedBy?: ChangedBy,
) => void;

/** The lists that can change. */
export const LISTS = ['tools', 'prompts', 'resources'] as const;

/** One of {@link LISTS}. */
export type ListName = (typeof LISTS)[number];

/** The changes that a stream of `subscriptions/listen` reports. */
export interface SubscriptionFilter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

interface Stream {
  filter: SubscriptionFilter;
  uris: ReadonlySet<string>;
}

/**
 * The subscriptions of one connection, of either era. A change without subscribers costs nothing, regardless
 * of the number of writes.
 */
export class Subscriptions {
  /** The quota of all connections of the holder: each change is looked up in all subscriptions. */
  readonly #quota: Quota;
  /** The uris of `resources/subscribe`, in the legacy revisions. */
  readonly #subscribed = new Set<string>();
  /** The streams of `subscriptions/listen`, in the modern era, by the ids of their requests. */
  readonly #streams = new Map<RequestId, Stream>();
  /** The number of streams that listen to each uri. */
  readonly #listenerCounts = new Map<string, number>();

  /** @param quota The quota of the connection. If two streams listen to a uri, it counts twice. */
  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** The maximum number of uris that the holder may subscribe to. */
  get limit(): number {
    return this.#quota.maximum;
  }

  /** Subscribes to a uri; a second time changes nothing. Returns `false` if the quota is used up. */
  add(uri: string): boolean {
    if (this.#subscribed.has(uri)) return true;
    if (!this.#quota.take(1)) return false;
    this.#subscribed.add(uri);
    return true;
  }

  /** Unsubscribes from a uri, if it is subscribed to. */
  delete(uri: string): void {
    if (this.#subscribed.delete(uri)) this.#quota.release(1);
  }

  /** Opens a stream. Returns `false` if its uris exceed the quota. */
  open(id: RequestId, filter: SubscriptionFilter): boolean {
    const uris = new Set(filter.resourceSubscriptions);
    if (!this.#quota.take(sizeOf(uris))) return false;
    this.#streams.set(id, { filter, uris });
    for (const uri of uris) this.#listenerCounts.set(uri, (this.#listenerCounts.get(uri) ?? 0) + 1);
    return true;
  }

  /** Ends a stream, if it is open. */
  end(id: RequestId): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#quota.release(sizeOf(stream.uris));
    for (const uri of stream.uris) {
      const left = this.#listenerCounts.get(uri)! - 1;
      if (left === 0) this.#listenerCounts.delete(uri);
      else this.#listenerCounts.set(uri, left);
    }
  }

  /** The streams that listen to a uri that matches. */
  streamsWith(matches: (uri: string) => boolean): RequestId[] {
    return this.#filterStreams(({ uris }) => [...uris].some(matches));
  }

  /** The streams that listen to a uri. */
  streamsOfUri(uri: string): RequestId[] {
    return this.#listenerCounts.has(uri) ? this.#filterStreams(({ uris }) => uris.has(uri)) : [];
  }

  /** The streams that report changes of a list. */
  streamsOf(list: ListName): RequestId[] {
    const key = `${list}ListChanged` as const;
    return this.#filterStreams(({ filter }) => filter[key] === true);
  }

  /** Ends each `resources/subscribe` to a uri that matches. */
  deleteAll(matches: (uri: string) => boolean): void {
    for (const uri of this.#subscribed) if (matches(uri)) this.delete(uri);
  }

  /** Ends all subscriptions: the connection has ended. */
  clear(): void {
    this.deleteAll(() => true);
    for (const id of this.#streams.keys()) this.end(id);
  }

  /** The ids of all streams. */
  get streams(): RequestId[] {
    return [...this.#streams.keys()];
  }

  /** Whether the uri is currently subscribed to. */
  has(uri: string): boolean {
    return this.#subscribed.has(uri) || this.#listenerCounts.has(uri);
  }

  /** The subscribed uris that a change affects. */
  affectedBy({ uri, andLonger }: ResourceChange): string[] {
    if (!andLonger) return this.has(uri) ? [uri] : [];
    const all = [...this.#subscribed, ...this.#listenerCounts.keys()];
    return all.filter((subscribed) => subscribed.startsWith(uri));
  }

  #filterStreams(fit: (stream: Stream) => boolean): RequestId[] {
    return this.streams.filter((id) => fit(this.#streams.get(id)!));
  }
}

/** The number of uris that a stream counts as: one if it has none. */
function sizeOf(uris: ReadonlySet<string>): number {
  return Math.max(1, uris.size);
}
