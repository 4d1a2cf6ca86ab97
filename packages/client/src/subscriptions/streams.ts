import { McpError } from '../api/client-error.js';
import { META, type SubscriptionFilter } from '../api/protocol-types.js';
import { isBusy } from '../connection/is-busy.js';
import { backoffMs, pause } from '../connection/backoff.js';
import type { ClientConnection } from '../connection/client-connection.js';
import type { Call } from '../connection/rpc-connection.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';

/** A stream of notifications. */
export interface OpenStream {
  /** The notifications that it will have. */
  readonly honoredFilter: object;
  /** Resolves when the other side has ended it. */
  readonly closed?: Promise<unknown> | undefined;
}

/** Opens a stream, which ends when the signal aborts. Rejects with an error of this package. */
export type Listen = (filter: SubscriptionFilter, signal: AbortSignal) => Promise<OpenStream>;

/**
 * The number of attempts for `backoffMs`, so that the first pause after the end of a stream is almost a
 * second.
 */
const FIRST_ATTEMPT = 4;

/** The notification that acknowledges a stream. A modern server sends it; here, each stream sends its own. */
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/**
 * The `subscriptions/listen` streams of a connection that has no such request, or leaves it to another
 * library: `Subscriptions` uses them like those of a modern server. If the other side ends a stream, as
 * HTTP does when it goes offline, it is opened and acknowledged again: changes may have been missed.
 */
export class Streams {
  readonly #connection: ClientConnection;
  readonly #listen: Listen;
  /** The open streams by their ids here, which are not the ids that the SDK gives them. */
  readonly #open = new Map<number, AbortController>();
  readonly #acknowledged = new Map<number, object>();
  #lastId = 0;

  constructor(connection: ClientConnection, listen: Listen) {
    this.#connection = connection;
    this.#listen = listen;
  }

  /** @param params The params of a `subscriptions/listen` request. */
  open({ notifications }: Params): Call {
    const id = (this.#lastId += 1);
    const controller = new AbortController();
    this.#open.set(id, controller);
    const result = this.#run(id, notifications as SubscriptionFilter, controller.signal);
    return { id, result, cancel: (reason) => controller.abort(reason) };
  }

  /** Reports a notification on every open stream, because it does not name the stream that it belongs to. */
  forward(method: string, params: unknown): void {
    if (method === ACKNOWLEDGED) return;
    const { uri, _meta } = (params ?? {}) as { uri?: unknown; _meta?: object };
    for (const id of this.#open.keys()) this.#notify(id, method, { uri, _meta });
  }

  /** Reports on every acknowledged stream that changes may have been missed. */
  interrupt(): void {
    for (const [id, honored] of this.#acknowledged) this.#acknowledge(id, honored);
  }

  /** Ends all streams. */
  end(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  /** Rejects when the stream has ended, with the reason of the signal or the error of `listen`. */
  async #run(id: number, filter: SubscriptionFilter, signal: AbortSignal): Promise<Result> {
    try {
      let stream = await this.#listen(filter, signal);
      for (;;) {
        this.#acknowledge(id, stream.honoredFilter);
        await untilEnded(stream, signal);
        signal.throwIfAborted();
        stream = await this.#listenAgain(filter, signal);
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      this.#open.delete(id);
      this.#acknowledged.delete(id);
    }
  }

  async #listenAgain(filter: SubscriptionFilter, signal: AbortSignal): Promise<OpenStream> {
    for (let attempts = FIRST_ATTEMPT; ; attempts += 1) {
      await pause(backoffMs(attempts), signal);
      signal.throwIfAborted();
      try {
        return await this.#listen(filter, signal);
      } catch (error) {
        if (signal.aborted || (error instanceof McpError && !isBusy(error))) throw error;
      }
    }
  }

  #acknowledge(id: number, notifications: object): void {
    this.#acknowledged.set(id, notifications);
    this.#notify(id, ACKNOWLEDGED, { notifications });
  }

  #notify(id: number, method: string, params: Params): void {
    const _meta = { ...(params['_meta'] as object | undefined), [META.subscriptionId]: id };
    this.#connection.onnotification?.(method, { ...params, _meta });
  }
}

function untilEnded({ closed }: OpenStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
    void closed?.then(() => resolve());
  });
}
