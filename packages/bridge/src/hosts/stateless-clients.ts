import { META, REQUEST_META_KEY } from '@inpage-mcp/protocol';
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from '@inpage-mcp/transport';
import { HostSession } from '../session/host-session.js';
import { LISTEN } from '../session/remembered.js';
import { MAX_REQUESTS_IN_FLIGHT } from '../wire/limits.js';
import {
  errorAnswer,
  hostFactsOf,
  isAnswer,
  isRequest,
  metaOf,
  notification,
  type JsonRpcAnswer,
} from '../wire/messages.js';
import type { SharedSessionOptions } from './legacy-sessions.js';

/** The time without a request after which a session is closed, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * The maximum number of sessions. For one more, the least recently used session without a request is closed.
 */
const MAX_CLIENTS = 8;

/**
 * The maximum number of sessions with streams. These are never without a request, so the rest stays for all
 * other clients.
 */
const MAX_LISTENING = 6;

/**
 * The maximum number of requests of a client at once; further ones wait. The rest of its limit stays for
 * streams.
 */
const MAX_AT_ONCE = MAX_REQUESTS_IN_FLIGHT / 2;
const MAX_STREAMS = MAX_REQUESTS_IN_FLIGHT - MAX_AT_ONCE;

/** The headers with which programs name themselves, or their users. */
const NAMING_HEADERS = ['user-agent', 'origin', 'authorization'];

/** A request over HTTP that needs no session (2026-07-28). */
export interface Exchange {
  /** The HTTP request. */
  readonly http: Pick<Request, 'url' | 'headers'>;
  readonly request: JsonRpcRequest;
  /** Called with each message about the request; the last one is its answer. */
  onmessage: (message: JsonRpcMessage) => void;
}

/**
 * The clients whose requests need no session. The page serves a limited number of sessions, so all requests
 * of a client share one. Clients are distinguished by everything that they repeat with each request: the
 * facts that they report about themselves, and the address with its query, which the user has given them. A
 * connection identifies no client, because a client opens several at once, and new ones later. Clients that
 * report the same facts share a session, in which each message belongs to one request.
 */
export class StatelessClients {
  readonly #options: SharedSessionOptions;
  /** The clients by their keys; the most recently used one comes last. */
  readonly #clients = new Map<string, StatelessClient>();

  constructor(options: SharedSessionOptions) {
    this.#options = options;
  }

  /** Sends a request, or answers it with an error. Returns a function that cancels it if it was not answered. */
  send(exchange: Exchange): () => void {
    const { http, request } = exchange;
    const key = JSON.stringify([
      hostFactsOf(request),
      new URL(http.url).search,
      ...NAMING_HEADERS.map((name) => http.headers.get(name)),
    ]);
    const known = this.#clients.get(key);
    const tooMany = request.method === LISTEN ? this.#tooManyStreams(known) : undefined;
    const client = tooMany === undefined ? (known ?? this.#begin(key)) : undefined;
    if (!client) {
      exchange.onmessage(busy(request, tooMany ?? TOO_MANY.clients));
      return () => undefined;
    }
    this.#clients.delete(key);
    this.#clients.set(key, client);
    return client.send(exchange);
  }

  close(): void {
    for (const key of this.#clients.keys()) this.#close(key);
  }

  /** Begins a client; `undefined` if all sessions have requests. */
  #begin(key: string): StatelessClient | undefined {
    const [idle] = [...this.#clients].find(([, { isIdle }]) => isIdle) ?? [];
    if (this.#clients.size >= MAX_CLIENTS && idle !== undefined) this.#close(idle);
    return this.#clients.size < MAX_CLIENTS
      ? new StatelessClient(this.#options, () => this.#close(key))
      : undefined;
  }

  /** The reason why a client may not open one more stream; `undefined` if it may. */
  #tooManyStreams(client: StatelessClient | undefined): string | undefined {
    if (client?.streams) return client.streams < MAX_STREAMS ? undefined : TOO_MANY.streams;
    const listening = [...this.#clients.values()].filter(({ streams }) => streams > 0);
    return listening.length < MAX_LISTENING ? undefined : TOO_MANY.listening;
  }

  #close(key: string): void {
    this.#clients.get(key)?.close();
    this.#clients.delete(key);
  }
}

const TOO_MANY = {
  clients: `${MAX_CLIENTS} programs have unanswered requests over HTTP, which is the most. Try again when one of them has its answers, or close one.`,
  listening: `${MAX_LISTENING} programs have streams of ${LISTEN} over HTTP, which is the most. Close one of them, or read again instead of waiting for changes.`,
  streams: `This program has ${MAX_STREAMS} streams of ${LISTEN}, which is the most. Close one of them first.`,
};

const busy = ({ id, method }: JsonRpcRequest, message: string): JsonRpcAnswer =>
  errorAnswer(id, { code: -32_000, message, data: { reason: 'busy', method } });

/** One client. In its session, each request has a number as its id and its progress token. */
class StatelessClient {
  readonly #session: HostSession;
  readonly #onidle: () => void;
  readonly #open = new Map<unknown, Exchange>();
  readonly #waiting = new Set<Exchange>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param onidle Called when there was no request for some time. */
  constructor(options: SharedSessionOptions, onidle: () => void) {
    this.#onidle = onidle;
    this.#session = new HostSession({
      ...options,
      isStateless: true,
      send: (message) => this.#receive(message),
    });
  }

  get isIdle(): boolean {
    return this.#open.size + this.#waiting.size === 0;
  }

  /** The number of open streams of `subscriptions/listen`. */
  get streams(): number {
    return [...this.#open.values()].filter(({ request }) => request.method === LISTEN).length;
  }

  send(exchange: Exchange): () => void {
    this.#waiting.add(exchange);
    this.#next();
    return () => this.#cancel(exchange);
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#session.close();
  }

  #next(): void {
    for (const exchange of this.#waiting) {
      const { request } = exchange;
      const isFull = this.#open.size - this.streams >= MAX_AT_ONCE;
      if (request.method !== LISTEN && isFull) continue;
      this.#waiting.delete(exchange);
      this.#lastId += 1;
      const id = this.#lastId;
      this.#open.set(id, exchange);
      const meta = metaOf(request);
      const _meta = 'progressToken' in meta ? { ...meta, progressToken: id } : meta;
      this.#session.receive({ ...request, id, params: { ...request.params, _meta } });
    }
    clearTimeout(this.#idle);
    if (this.isIdle) this.#idle = setTimeout(this.#onidle, IDLE_TIMEOUT_MS).unref();
  }

  #cancel(exchange: Exchange): void {
    this.#waiting.delete(exchange);
    for (const [id, open] of this.#open) {
      if (open !== exchange) continue;
      this.#open.delete(id);
      this.#session.receive(notification('notifications/cancelled', { requestId: id }));
    }
    this.#next();
  }

  /** Passes a message to the request that it belongs to. In this era, no server asks clients. */
  #receive(message: JsonRpcMessage): void {
    if (isRequest(message)) return;
    const exchange = isAnswer(message) ? this.#open.get(message.id) : this.#exchangeOf(message);
    if (exchange) exchange.onmessage(renamed(message, exchange.request));
    if (!isAnswer(message) || !this.#open.delete(message.id)) return;
    this.#next();
  }

  /**
   * The exchange that a message belongs to: the page names the request of each message. A message that names
   * none may be for another program, so it is dropped.
   */
  #exchangeOf({ method, params }: JsonRpcNotification): Exchange | undefined {
    const meta = metaOf({ params });
    return this.#open.get(
      method === 'notifications/progress'
        ? params?.['progressToken']
        : (meta[META.subscriptionId] ?? meta[REQUEST_META_KEY]),
    );
  }
}

/** A message with the id and the progress token that the client has chosen. */
function renamed(
  message: JsonRpcAnswer | JsonRpcNotification,
  request: JsonRpcRequest,
): JsonRpcMessage {
  const { id } = request;
  const withId = (value: JsonRpcNotification['params']): JsonRpcNotification['params'] => {
    const meta = metaOf({ params: value });
    const key = [META.subscriptionId, REQUEST_META_KEY].find((one) => one in meta);
    return key === undefined ? value : { ...value, _meta: { ...meta, [key]: id } };
  };
  if ('error' in message) return { ...message, id };
  if ('result' in message) return { ...message, id, result: withId(message.result) ?? {} };
  const { method, params } = message;
  return method === 'notifications/progress'
    ? { ...message, params: { ...params, progressToken: metaOf(request)['progressToken'] } }
    : { ...message, params: withId(params) };
}
