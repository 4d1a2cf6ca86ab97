import type { RequestId } from '@inpage-mcp/transport';
import { filter } from '../results/answer-shapes.js';
import { callSafely } from '../connection/call-safely.js';
import { ClientError, closedError } from '../api/client-error.js';
import { timeoutError } from '../connection/outstanding.js';
import { META, type SubscriptionFilter } from '../api/protocol-types.js';
import { DEFAULT_TIMEOUT_MS } from '../api/request-options.js';
import type { ReconnectingConnection } from '../connection/reconnecting-connection.js';
import type { RpcConnection } from '../connection/rpc-connection.js';
import { filterOf, honors, sameTopics, topicOf, type Topic } from './topics.js';

/**
 * A running watch. It ends with `stop()`, with its signal, or with the client. When the server
 * cannot go on telling of the topic, as it did, the listener is called a last time.
 */
export interface Watch {
  /**
   * Resolves once the server has acknowledged: every later change is heard. Rejects with
   * `unsupported`, `closed`, `timeout`, or the reason of the signal; the watch has then ended.
   * Nobody has to look at it.
   */
  readonly ready: Promise<void>;
  /** Ends the watch. Further calls do nothing. */
  stop(): void;
}

interface Listener {
  topic: Topic;
  call: () => void;
  settleReady: (error?: unknown) => void;
  /** Lets go of its signal, which may outlive it. */
  release: () => void;
  /** Whether there was no stream for a while, and it has not been told yet. */
  mayHaveMissed: boolean;
}

/** A `subscriptions/listen` request that the server has acknowledged. */
interface Stream {
  id: RequestId;
  topics: ReadonlySet<Topic>;
  end(): void;
}

/** How long to wait before listening again when the server ended a stream of its own accord. */
const RELISTEN_DELAY_MS = 1_000;

/**
 * All watches of a connection, on one `subscriptions/listen` stream (Basic › Subscriptions).
 *
 * The stream's filter cannot change, so another set of topics means another stream. The old one is
 * ended after the new one is acknowledged, and only one of them is ever heard: no change is lost
 * in between and none is told twice.
 *
 * When there is no stream any more, as its connection was lost or the server has ended it, another
 * is opened, and as soon as that is acknowledged every listener is called once.
 */
export class Subscriptions {
  readonly #connection: ReconnectingConnection;
  readonly #listeners = new Set<Listener>();
  #stream: Stream | undefined;
  #updating = false;
  #outdated = false;
  /** Acknowledgements that are waited for, by the id of their request. */
  readonly #acknowledgements = new Map<RequestId, (honored: SubscriptionFilter) => void>();

  constructor(connection: ReconnectingConnection) {
    this.#connection = connection;
    connection.onnotification = (method, params) => this.#receive(method, params);
    void connection.closed.then(() => {
      for (const listener of this.#listeners) this.#remove(listener, closedError());
    });
  }

  /** Calls back after each change of a topic, until stopped. */
  watch(topic: Topic, call: () => void, signal?: AbortSignal): Watch {
    let settleReady!: Listener['settleReady'];
    const ready = new Promise<void>((resolve, reject) => {
      settleReady = (error) => (error === undefined ? resolve() : reject(error));
    });
    ready.catch(() => undefined);
    const onAbort = (): void => stop(signal?.reason);
    const release = (): void => signal?.removeEventListener('abort', onAbort);
    const listener: Listener = { topic, call, settleReady, release, mayHaveMissed: false };
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
    const id = (params['_meta'] as { [key: string]: unknown } | undefined)?.[META.subscriptionId];
    if (method === 'notifications/subscriptions/acknowledged') {
      const honored = (filter(params['notifications']) ?? {}) as SubscriptionFilter;
      this.#acknowledgements.get(id as RequestId)?.(honored);
    } else if (id === undefined || id !== this.#stream?.id) {
      // Of a stream that is being replaced, or of none: the current one tells the same.
    } else {
      this.#call(topicOf(method, params));
    }
  }

  #call(topic: Topic | undefined): void {
    for (const listener of this.#listeners) {
      if (listener.topic === topic) callSafely(listener.call);
    }
  }

  /** Brings the stream in line with the listeners, once for all changes of the same turn. */
  #update(): void {
    this.#outdated = true;
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => void this.#bringInLine());
  }

  async #bringInLine(): Promise<void> {
    while (this.#outdated) {
      const connection = await this.#connection.whenOpen().catch(() => undefined);
      if (!connection) break;
      this.#outdated = false;
      const waiting = [...this.#listeners];
      const topics = new Set(waiting.map(({ topic }) => topic));
      try {
        if (!sameTopics(topics, this.#stream?.topics))
          await this.#replaceStream(connection, topics);
        for (const listener of waiting) this.#confirm(listener);
      } catch (error) {
        if (!connection.isClosed) this.#endUncovered(waiting, error);
        else {
          this.#noteMissed();
          this.#outdated = true;
        }
      }
    }
    // In the same turn as the last look at `#outdated`: whoever comes now starts anew.
    this.#updating = false;
  }

  async #replaceStream(connection: RpcConnection, topics: ReadonlySet<Topic>): Promise<void> {
    const previous = this.#stream;
    if (topics.size > 0) await this.#openStream(connection, topics);
    else this.#stream = undefined;
    previous?.end();
  }

  async #openStream(connection: RpcConnection, wanted: ReadonlySet<Topic>): Promise<void> {
    const params = { notifications: filterOf(wanted) };
    const { id, result, cancel } = connection.call('subscriptions/listen', params);
    const acknowledged = new Promise<void>((resolve) => {
      this.#acknowledgements.set(id, (honored) => {
        // Set in the same turn: the very next message may be one of the new stream.
        this.#stream = { id, topics: wanted, end: () => cancel(undefined) };
        for (const topic of wanted) if (!honors(honored, topic)) this.#refuse(topic);
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

  /** The stream that is in use has ended: listen again, as something may be missed. */
  #onEnded(id: RequestId, connection: RpcConnection): void {
    if (this.#stream?.id !== id) return;
    this.#stream = undefined;
    this.#noteMissed();
    if (connection.isClosed) this.#update();
    else setTimeout(() => this.#update(), RELISTEN_DELAY_MS);
  }

  #noteMissed(): void {
    for (const listener of this.#listeners) listener.mayHaveMissed = true;
  }

  /** Ends the watches that no stream covers; what the stream in use already covers goes on. */
  #endUncovered(waiting: Listener[], error: unknown): void {
    const lost = waiting.filter(({ topic }) => !this.#stream?.topics.has(topic));
    for (const listener of lost) this.#fail(listener, error);
  }

  #refuse(topic: Topic): void {
    const error = new ClientError('unsupported', 'The server offers no notifications of this.');
    for (const listener of this.#listeners) {
      if (listener.topic === topic) this.#fail(listener, error);
    }
  }

  #confirm(listener: Listener): void {
    if (!this.#listeners.has(listener)) return;
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
    callSafely(listener.call);
  }
}

function endedError(): ClientError {
  return new ClientError('unsupported', 'The server ended the subscription.');
}

function ackTimeoutError(): ClientError {
  return timeoutError('The server did not acknowledge the subscription', DEFAULT_TIMEOUT_MS);
}
