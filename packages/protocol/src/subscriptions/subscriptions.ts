import type { RequestId } from '@inpage-mcp/transport';
import type { Allowance } from '../fairness/allowance.js';
import { isObject } from '../wire/is-object.js';
import type { Params } from '../wire/types.js';

/** Something that has changed in a resource. */
export interface ResourceChange {
  uri: string;
  /** Whether `resources/list` differs now in more than size and time. */
  listChanged: boolean;
  /** Whether every uri that begins with this one has changed, too. Default: false. */
  andLonger?: boolean;
}

/** Called with what has changed. */
export type ResourceChangeListener = (changes: readonly ResourceChange[]) => void;

/** The lists that can change. */
export const LISTS = ['tools', 'prompts', 'resources'] as const;

/** See {@link LISTS}. */
export type ListName = (typeof LISTS)[number];

/** What a stream of `subscriptions/listen` is to report. */
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
 * What one connection has subscribed to, in the way of its era. What nobody listens to then costs
 * nothing, however much is written.
 */
export class Subscriptions {
  /** Of all connections of the holder: each change is looked up among them. */
  readonly #allowance: Allowance;
  /** `resources/subscribe` of the legacy revisions. */
  readonly #subscribed = new Set<string>();
  /** `subscriptions/listen` of the modern era, by the ids of the requests. */
  readonly #streams = new Map<RequestId, Stream>();
  /** How many of the streams listen to each uri. */
  readonly #listened = new Map<string, number>();

  /** @param allowance A uri that two streams listen to counts twice. */
  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** How many uris the holder may have. */
  get limit(): number {
    return this.#allowance.maximum;
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

  /** Opens a stream. `false` when there is no room for its uris. */
  open(id: RequestId, filter: SubscriptionFilter): boolean {
    const uris = new Set(filter.resourceSubscriptions);
    if (!this.#allowance.take(sizeOf(uris))) return false;
    this.#streams.set(id, { filter, uris });
    for (const uri of uris) this.#listened.set(uri, (this.#listened.get(uri) ?? 0) + 1);
    return true;
  }

  /** Ends a stream. One that has ended is left alone. */
  end(id: RequestId): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#allowance.giveBack(sizeOf(stream.uris));
    for (const uri of stream.uris) {
      const left = this.#listened.get(uri)! - 1;
      if (left === 0) this.#listened.delete(uri);
      else this.#listened.set(uri, left);
    }
  }

  /** The streams that listen to such a uri. */
  streamsWith(isSuch: (uri: string) => boolean): RequestId[] {
    return this.#streamsThat(({ uris }) => [...uris].some(isSuch));
  }

  /** The streams that listen to a uri. */
  streamsOfUri(uri: string): RequestId[] {
    return this.#listened.has(uri) ? this.#streamsThat(({ uris }) => uris.has(uri)) : [];
  }

  /** The streams that report changes of a list. */
  streamsOf(list: ListName): RequestId[] {
    const key = `${list}ListChanged` as const;
    return this.#streamsThat(({ filter }) => filter[key] === true);
  }

  /** Ends `resources/subscribe` of such uris. */
  deleteAll(isSuch: (uri: string) => boolean): void {
    for (const uri of this.#subscribed) if (isSuch(uri)) this.delete(uri);
  }

  /** The connection has ended. */
  clear(): void {
    this.deleteAll(() => true);
    for (const id of this.#streams.keys()) this.end(id);
  }

  /** The ids of all streams. */
  get streams(): RequestId[] {
    return [...this.#streams.keys()];
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

  #streamsThat(fit: (stream: Stream) => boolean): RequestId[] {
    return this.streams.filter((id) => fit(this.#streams.get(id)!));
  }
}

/** A stream without uris is one thing to look after, too. */
function sizeOf(uris: ReadonlySet<string>): number {
  return Math.max(1, uris.size);
}

/** The uris that the params of a `subscriptions/listen` name, whether they fit or not. */
export function listenedUris(params: Params): ReadonlySet<string> {
  const { notifications } = params;
  const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  return new Set(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []);
}
