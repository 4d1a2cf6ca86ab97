import { McpError } from '../api/client-error.js';
import { META, type SubscriptionFilter } from '../api/protocol-types.js';
import { DEFAULT_TIMEOUT_MS } from '../api/request-options.js';
import { backoffMs, pause } from '../connection/backoff.js';
import type { ClientConnection } from '../connection/client-connection.js';
import type { Call } from '../connection/rpc-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import { ResourceSubscriptions } from './resource-subscriptions.js';
import { translateError } from './sdk-errors.js';
import type { SdkClient, SdkSubscription } from './sdk-types.js';

/** Opens a stream, which ends when the signal aborts. */
type Listen = (filter: SubscriptionFilter, signal: AbortSignal) => Promise<SdkSubscription>;

/** For `backoffMs`, so that the first pause after the end of a stream is almost a second. */
const FIRST_ATTEMPT = 4;

/** The SDK gets it from a modern server; here, each stream has one of its own. */
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

const LISTS = ['resources', 'tools', 'prompts'] as const;

/**
 * The `subscriptions/listen` streams of a client of the SDK. In the legacy era, a stream consists of
 * `resources/subscribe` requests. If the server ends a stream, as HTTP does when it goes offline,
 * the client opens it again, and reports a change of everything.
 */
export class SdkStreams {
  readonly #connection: ClientConnection;
  readonly #listen: Listen;
  /** Each stream has an id here, which is not the id that the SDK gives it. */
  readonly #open = new Map<number, AbortController>();
  #lastId = 0;

  constructor(connection: ClientConnection, client: SdkClient) {
    this.#connection = connection;
    this.#listen = listenIn(client) ?? listenByRequests(connection);
  }

  /** @param params Of a `subscriptions/listen` request. */
  open({ notifications }: Params): Call {
    const id = (this.#lastId += 1);
    const controller = new AbortController();
    this.#open.set(id, controller);
    const result = this.#run(id, notifications as SubscriptionFilter, controller.signal);
    return { id, result, cancel: (reason) => controller.abort(reason) };
  }

  /** Reports a notification on every open stream: the SDK does not expose to which it belongs. */
  forward(method: string, params: unknown): void {
    if (method === ACKNOWLEDGED) return;
    const { uri, _meta } = (params ?? {}) as { uri?: unknown; _meta?: object };
    for (const id of this.#open.keys()) this.#notify(id, method, { uri, _meta });
  }

  /** Ends all streams. */
  end(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  /** Rejects when the stream has ended, with the reason of the signal or the error of the SDK. */
  async #run(id: number, filter: SubscriptionFilter, signal: AbortSignal): Promise<Result> {
    try {
      const stream = await this.#listen(filter, signal);
      const notifications = stream.honoredFilter;
      this.#notify(id, ACKNOWLEDGED, { notifications });
      await untilEnded(stream, signal);
      while (!signal.aborted) {
        const next = await this.#listenAgain(filter, signal);
        this.#reportAll(id, filter);
        await untilEnded(next, signal);
      }
      throw signal.reason;
    } catch (error) {
      throw signal.aborted ? signal.reason : translate(error);
    } finally {
      this.#open.delete(id);
    }
  }

  async #listenAgain(filter: SubscriptionFilter, signal: AbortSignal): Promise<SdkSubscription> {
    for (let attempts = FIRST_ATTEMPT; ; attempts += 1) {
      await pause(backoffMs(attempts), signal);
      signal.throwIfAborted();
      try {
        return await this.#listen(filter, signal);
      } catch (error) {
        if (signal.aborted || translate(error) instanceof McpError) throw error;
      }
    }
  }

  #reportAll(id: number, filter: SubscriptionFilter): void {
    for (const uri of filter.resourceSubscriptions ?? [])
      this.#notify(id, 'notifications/resources/updated', { uri });
    for (const list of LISTS)
      if (filter[`${list}ListChanged`]) this.#notify(id, `notifications/${list}/list_changed`, {});
  }

  #notify(id: number, method: string, params: Params): void {
    const _meta = { ...(params['_meta'] as object | undefined), [META.subscriptionId]: id };
    this.#connection.onnotification?.(method, { ...params, _meta });
  }
}

/** In the modern era: by `listen` of the SDK. */
function listenIn(client: SdkClient): Listen | undefined {
  if (client.getProtocolEra?.() !== 'modern') return undefined;
  return async (filter, signal) => {
    const args = [filter, { signal, timeout: DEFAULT_TIMEOUT_MS }] as unknown as [never, never];
    return await client.listen!(...args);
  };
}

/** In the legacy era: by `resources/subscribe`. */
function listenByRequests(connection: ClientConnection): Listen {
  const subscriptions = new ResourceSubscriptions(connection);
  return (filter, signal) => subscriptions.listen(filter, signal);
}

function untilEnded({ closed }: SdkSubscription, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
    void closed?.then(() => resolve());
  });
}

function translate(error: unknown): Error {
  return translateError(error, 'subscriptions/listen', DEFAULT_TIMEOUT_MS);
}
