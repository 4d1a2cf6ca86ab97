import { McpError } from '../api/client-error.js';
import type { SubscriptionFilter } from '../api/protocol-types.js';
import type { ClientConnection } from '../connection/client-connection.js';
import type { OpenStream } from './streams.js';

/** The subscription of a URI. */
interface Held {
  /** The number of streams with this URI. */
  count: number;
  /** The last request: HTTP may deliver two concurrent requests in any order. */
  last: Promise<unknown>;
}

/**
 * The streams of a server of the legacy era: `resources/subscribe` for the first stream with a URI,
 * and `resources/unsubscribe` after the last one (Server › Resources › Subscriptions, 2025-11-25).
 * The server sends changes of lists without a request.
 */
export class ResourceSubscriptions {
  readonly #connection: ClientConnection;
  readonly #held = new Map<string, Held>();

  constructor(connection: ClientConnection) {
    this.#connection = connection;
  }

  /**
   * Subscribes to the URIs of a filter until the signal aborts. A URI that the server rejects is not
   * in the `honoredFilter`.
   *
   * @throws The error of a request that the server has not answered, or the reason of the signal.
   */
  async listen(filter: SubscriptionFilter, signal: AbortSignal): Promise<OpenStream> {
    const { resources, tools, prompts } = this.#connection.discovered.capabilities ?? {};
    const uris = resources?.subscribe ? (filter.resourceSubscriptions ?? []) : [];
    const release = (): void => uris.forEach((uri) => this.#release(uri));
    try {
      const accepted = await Promise.all(uris.map((uri) => this.#acquire(uri)));
      signal.throwIfAborted();
      signal.addEventListener('abort', release);
      const honoredFilter: SubscriptionFilter = {
        resourceSubscriptions: uris.filter((_, index) => accepted[index]),
        resourcesListChanged: resources?.listChanged,
        toolsListChanged: tools?.listChanged,
        promptsListChanged: prompts?.listChanged,
      };
      return { honoredFilter };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Subscribes to a URI; resolves with whether the server has accepted the subscription. */
  async #acquire(uri: string): Promise<boolean> {
    const held = this.#held.get(uri) ?? { count: 0, last: Promise.resolve() };
    this.#held.set(uri, held);
    held.count += 1;
    if (held.count === 1)
      held.last = held.last.then(() => this.#connection.request('resources/subscribe', { uri }));
    try {
      await held.last;
      return true;
    } catch (error) {
      if (error instanceof McpError) return false;
      throw error;
    }
  }

  #release(uri: string): void {
    const held = this.#held.get(uri)!;
    held.count -= 1;
    if (held.count > 0) return;
    held.last = held.last
      .then(() => this.#connection.request('resources/unsubscribe', { uri }))
      .catch(() => undefined)
      .then(() => held.count > 0 || this.#held.delete(uri));
  }
}
