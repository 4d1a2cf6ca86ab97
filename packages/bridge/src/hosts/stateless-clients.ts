import { META } from '@inpage-mcp/protocol';
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest } from '@inpage-mcp/transport';
import { HostSession } from '../session/host-session.js';
import { LISTEN } from '../session/remembered.js';
import { MAX_REQUESTS_IN_FLIGHT } from '../wire/limits.js';
import {
  hostFactsOf,
  isAnswer,
  isRequest,
  metaOf,
  notification,
  type JsonRpcAnswer,
} from '../wire/messages.js';
import type { SharedSessionOptions } from './legacy-sessions.js';

/** How long a session is kept without a request, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

/** If there are more sessions, the least recently used one without a request is closed. */
const MAX_CLIENTS = 8;

/** The most requests of a client at once; further ones wait. The rest of its limit is left for streams. */
const MAX_AT_ONCE = MAX_REQUESTS_IN_FLIGHT / 2;

/** A request over HTTP that needs no session (2026-07-28). */
export interface Exchange {
  readonly request: JsonRpcRequest;
  /** Called with each message about the request; the last one is its answer. */
  onmessage: (message: JsonRpcMessage) => void;
}

/**
 * The clients whose requests need no session, by name and version. The page serves a limited number of
 * sessions, so all requests of a client share one.
 */
export class StatelessClients {
  readonly #options: SharedSessionOptions;
  /** The client that was used last comes last. */
  readonly #clients = new Map<string, StatelessClient>();

  constructor(options: SharedSessionOptions) {
    this.#options = options;
  }

  /** Sends a request. Returns a function that cancels it if it was not answered. */
  send(exchange: Exchange): () => void {
    const { name, version = '' } = hostFactsOf(exchange.request, this.#options.name);
    const key = `${name} ${version}`;
    const client =
      this.#clients.get(key) ?? new StatelessClient(this.#options, () => this.#close(key));
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [idle] = [...this.#clients].find(([, { isIdle }]) => isIdle) ?? [];
    if (this.#clients.size > MAX_CLIENTS && idle !== undefined && idle !== key) this.#close(idle);
    return client.send(exchange);
  }

  close(): void {
    for (const key of this.#clients.keys()) this.#close(key);
  }

  #close(key: string): void {
    this.#clients.get(key)?.close();
    this.#clients.delete(key);
  }
}

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
      if (request.method !== LISTEN && this.#countAtOnce() >= MAX_AT_ONCE) continue;
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

  #countAtOnce(): number {
    return [...this.#open.values()].filter(({ request }) => request.method !== LISTEN).length;
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

  /** Log messages do not name their request in the protocol: they belong to the latest one that wants them. */
  #exchangeOf({ method, params }: JsonRpcNotification): Exchange | undefined {
    const stream = metaOf({ params })[META.subscriptionId];
    if (stream !== undefined) return this.#open.get(stream);
    if (method === 'notifications/progress') return this.#open.get(params?.['progressToken']);
    return [...this.#open.values()].findLast(({ request }) => META.logLevel in metaOf(request));
  }
}

/** A message with the id and the progress token that the client has chosen. */
function renamed(
  message: JsonRpcAnswer | JsonRpcNotification,
  request: JsonRpcRequest,
): JsonRpcMessage {
  const { id } = request;
  const withStream = (value: JsonRpcNotification['params']): JsonRpcNotification['params'] =>
    META.subscriptionId in metaOf({ params: value })
      ? { ...value, _meta: { ...metaOf({ params: value }), [META.subscriptionId]: id } }
      : value;
  if ('error' in message) return { ...message, id };
  if ('result' in message) return { ...message, id, result: withStream(message.result) ?? {} };
  const { method, params } = message;
  return method === 'notifications/progress'
    ? { ...message, params: { ...params, progressToken: metaOf(request)['progressToken'] } }
    : { ...message, params: withStream(params) };
}
