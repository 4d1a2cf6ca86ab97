import type { Meta } from '@inpage-mcp/protocol/types';
import type { RequestId } from '@inpage-mcp/transport';
import { filter } from '../results/answer-shapes.js';
import { isBusy } from '../connection/is-busy.js';
import { callSafely } from '../connection/call-safely.js';
import { ClientError, closedError, McpError } from '../api/client-error.js';
import { timeoutError } from '../connection/pending-waits.js';
import { META, type SubscriptionFilter } from '../api/protocol-types.js';
import { DEFAULT_TIMEOUT_MS } from '../api/request-options.js';
import type { ClientConnection, OpenConnection } from '../connection/client-connection.js';
import { filterOf, isHonored, isInside, equalTopics, topicOf, type Topic } from './topics.js';

/**
 * An active watch. It ends by `stop()`, by its signal, or with the client. If the server stops
 * supporting the topic, the watch ends after a last call of the listener.
 */
export interface Watch {
  /**
   * Resolves when the server has acknowledged the subscription: every later change is reported.
   * Rejects with `unsupported`, `closed`, `timeout`, or the reason of the signal; the watch has then
   * ended. The rejection need not be handled.
   */
  readonly ready: Promise<void>;
  /** Ends the watch. Further calls do nothing. */
  stop(): void;
}

/**
 * Called after a change of a resource.
 *
 * @param meta The `_meta` of the notification. The server of this project names there the author of the
 *   change (docs/resources.md). `undefined` if the connection or its stream was interrupted and a change
 *   may have been missed.
 */
export type WatchListener = (uri: string, meta?: Meta) => void;

interface Listener {
  topic: Topic;
  call: (meta?: Meta) => void;
  settleReady: (error?: unknown) => void;
  /** Detaches from the signal, which may outlive the watch. */
  release: () => void;
  /** Whether the server has acknowledged the watch. */
  isReady: boolean;
  /** Whether the stream was interrupted since the last call. */
  mayHaveMissed: boolean;
}

/** A `subscriptions/listen` request that the server has acknowledged. */
interface Stream {
  id: RequestId;
  topics: ReadonlySet<Topic>;
  end(): void;
}

/** The code of a request whose params the server refuses, also because of their number. */
const INVALID_PARAMS = -32602;

/** The delay before the client subscribes again after the server has ended a stream. */
const RESUBSCRIBE_DELAY_MS = 1_000;

/**
 * All watches of a connection, on one `subscriptions/listen` stream (Basic › Subscriptions).
 *
 * The filter of a stream cannot change, so another set of topics needs another stream. The old
 * stream ends after the new one is acknowledged, and only one of them is used at any time: no change
 * is lost in between, and none is reported twice. If the server refuses the two together, the old one
 * ends first, and every listener is called once.
 *
 * If the connection is lost or the server ends the stream, the client opens another. When that one
 * is acknowledged, every listener is called once.
 */
export class Subscriptions {
  readonly #connection: ClientConnection;
  readonly #listeners = new Set<Listener>();
  #stream: Stream | undefined;
  #updating = false;
  #outdated = false;
  /** Handlers of pending acknowledgements, by request id. */
  readonly #acknowledgements = new Map<RequestId, (honored: SubscriptionFilter) => void>();

  constructor(connection: ClientConnection) {
    this.#connection = connection;
    connection.onnotification = (method, params) => this.#receive(method, params);
    void connection.closed.then(() => {
      for (const listener of this.#listeners) this.#remove(listener, closedError());
    });
  }

  /** Calls back after each change of a topic, with the `_meta` of its notification. */
  watch(topic: Topic, call: Listener['call'], signal?: AbortSignal): Watch {
    let settleReady!: Listener['settleReady'];
    const ready = new Promise<void>((resolve, reject) => {
      settleReady = (error) => (error === undefined ? resolve() : reject(error));
    });
    ready.catch(() => undefined);
    const onAbort = (): void => stop(signal?.reason);
    const release = (): void => signal?.removeEventListener('abort', onAbort);
    const listener: Listener = {
      topic,
      call,
      settleReady,
      release,
      isReady: false,
      mayHaveMissed: false,
    };
    const stop = (reason: unknown): void => this.#remove(listener, reason);
    this.#listeners.add(listener);
    signal?.addEventListener('abort', onAbort);
    if (this.#connection.isClosed) stop(closedError());
    else if (signal?.aborted) onAbort();
    else this.#update();
    return { ready, stop: () => stop(new DOMException('The watch was stopped.', 'AbortError')) };
  }

  #remove(listener: Listener, reason: unknown): void {
    listener.release();
    listener.settleReady(reason);
    if (this.#listeners.delete(listener)) this.#update();
  }

  #receive(method: string, params: { [key: string]: unknown }): void {
    const meta = params['_meta'] as Meta | undefined;
    const id = meta?.[META.subscriptionId];
    if (method === 'notifications/subscriptions/acknowledged') {
      const honored = (filter(params['notifications']) ?? {}) as SubscriptionFilter;
      const acknowledge = this.#acknowledgements.get(id as RequestId);
      if (acknowledge) acknowledge(honored);
      // A further acknowledgement of a stream means that it was interrupted and has started again.
      else if (id === this.#stream?.id) this.#reportMissed();
    } else if (id === undefined || id !== this.#stream?.id) {
      // The notification comes from a stream that is being replaced, or unknown: the current stream reports
      // the same.
    } else {
      const topic = topicOf(method, params);
      const isExact = topic === undefined || this.#stream.topics.has(topic);
      for (const listener of this.#listeners)
        if (isExact ? listener.topic === topic : isInside(topic, listener.topic))
          callSafely(() => listener.call(meta));
    }
  }

  /** Adapts the stream to the listeners, once for all changes of the same turn. */
  #update(): void {
    this.#outdated = true;
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => void this.#synchronize());
  }

  async #synchronize(): Promise<void> {
    while (this.#outdated) {
      const connection = await this.#connection.whenOpen().catch(() => undefined);
      if (!connection) break;
      this.#outdated = false;
      const listeners = [...this.#listeners];
      const topics = new Set(listeners.map(({ topic }) => topic));
      try {
        if (!equalTopics(topics, this.#stream?.topics))
          await this.#replaceStream(connection, topics);
        for (const listener of listeners) this.#confirm(listener);
      } catch (error) {
        if (!connection.isClosed) this.#endUncovered(listeners, error);
        else {
          this.#markAsMissed();
          this.#outdated = true;
        }
      }
    }
    // In the same turn as the last check of `#outdated`, so that a later change starts a new update.
    this.#updating = false;
  }

  async #replaceStream(connection: OpenConnection, topics: ReadonlySet<Topic>): Promise<void> {
    const previous = this.#stream;
    try {
      if (topics.size > 0) await this.#openStream(connection, topics);
      else this.#stream = undefined;
    } catch (error) {
      if (!previous || !isRefusal(error)) throw error;
      return await this.#replaceWithGap(connection, topics, previous);
    }
    previous?.end();
  }

  /**
   * Ends the previous stream before the next one is opened, because the server has no room for both: a uri
   * may count once for each stream. If it has no room for the next one either, the previous topics go on.
   */
  async #replaceWithGap(
    connection: OpenConnection,
    topics: ReadonlySet<Topic>,
    previous: Stream,
  ): Promise<void> {
    this.#stream = undefined;
    previous.end();
    this.#markAsMissed(previous.topics);
    try {
      await this.#openStream(connection, topics);
    } catch (error) {
      await this.#openStream(connection, previous.topics).catch(() => undefined);
      throw error;
    }
  }

  async #openStream(connection: OpenConnection, wanted: ReadonlySet<Topic>): Promise<void> {
    const params = { notifications: filterOf(wanted) };
    const { id, result, cancel } = connection.call('subscriptions/listen', params);
    const acknowledged = new Promise<void>((resolve) => {
      this.#acknowledgements.set(id, (honored) => {
        // Set in the same turn: the next message may already belong to the new stream.
        this.#stream = { id, topics: wanted, end: () => cancel(undefined) };
        for (const topic of wanted) if (!isHonored(honored, topic)) this.#failTopic(topic);
        resolve();
      });
    });
    const timer = setTimeout(() => cancel(ackTimeoutError()), DEFAULT_TIMEOUT_MS);
    const ended = result.then(() => Promise.reject(endedError()));
    ended.catch(() => this.#onEnded(id, connection));
    try {
      await Promise.race([acknowledged, ended]);
    } finally {
      clearTimeout(timer);
      this.#acknowledgements.delete(id);
    }
  }

  /**
   * Handles the end of a stream: if it was in use, subscribes again, because changes may have been missed.
   */
  #onEnded(id: RequestId, connection: OpenConnection): void {
    if (this.#stream?.id !== id) return;
    this.#stream = undefined;
    this.#markAsMissed();
    if (connection.isClosed) this.#update();
    else setTimeout(() => this.#update(), RESUBSCRIBE_DELAY_MS);
  }

  /** @param topics The topics of which changes may have been missed. Default: all. */
  #markAsMissed(topics?: ReadonlySet<Topic>): void {
    for (const listener of this.#listeners)
      if (!topics || topics.has(listener.topic)) listener.mayHaveMissed = true;
  }

  #reportMissed(): void {
    this.#markAsMissed();
    for (const listener of this.#listeners) this.#callIfMissed(listener);
  }

  /**
   * Ends the watches that the current stream does not cover; the others continue. If the server is only busy,
   * the watches that it has acknowledged before continue, too, with a later stream.
   */
  #endUncovered(listeners: Listener[], error: unknown): void {
    const lost = listeners.filter(({ topic }) => !this.#stream?.topics.has(topic));
    const isPassing = isBusy(error) || (error as Partial<ClientError>).code === 'timeout';
    const kept = new Set(lost.filter(({ isReady }) => isPassing && isReady));
    for (const listener of lost) {
      if (kept.has(listener)) listener.mayHaveMissed = true;
      else this.#fail(listener, error);
    }
    if (kept.size > 0) setTimeout(() => this.#update(), RESUBSCRIBE_DELAY_MS);
  }

  #failTopic(topic: Topic): void {
    const error = new ClientError('unsupported', 'The server does not report such changes.');
    for (const listener of this.#listeners) {
      if (listener.topic === topic) this.#fail(listener, error);
    }
  }

  #confirm(listener: Listener): void {
    if (!this.#listeners.has(listener)) return;
    listener.isReady = true;
    listener.settleReady();
    this.#callIfMissed(listener);
  }

  #fail(listener: Listener, error: unknown): void {
    this.#remove(listener, error);
    this.#callIfMissed(listener);
  }

  #callIfMissed(listener: Listener): void {
    if (!listener.mayHaveMissed) return;
    listener.mayHaveMissed = false;
    callSafely(() => listener.call());
  }
}

/** Whether the server refuses the filter itself, and not, for example, any request at the moment. */
function isRefusal(error: unknown): boolean {
  return error instanceof McpError && error.code === INVALID_PARAMS;
}

function endedError(): ClientError {
  return new ClientError('unsupported', 'The server ended the subscription.');
}

function ackTimeoutError(): ClientError {
  return timeoutError('The server did not acknowledge the subscription', DEFAULT_TIMEOUT_MS);
}
