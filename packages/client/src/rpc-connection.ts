import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { ClientError, closedError, McpError } from './client-error.js';

/** What carries the messages: `MessagePortTransport`, or anything of the same shape. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

/** Limits of one request. */
export interface RequestOptions {
  /** Gives up and tells the server; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call rejects with `timeout`; `Infinity` for none. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** The default of {@link RequestOptions.timeoutMs}. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** The longest delay of a timer; above it browsers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const METHOD_NOT_FOUND = -32601;

type Params = { [key: string]: unknown };
type Result = { [key: string]: unknown };

interface PendingRequest {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * JSON-RPC over a transport: pairs answers with requests, and makes sure that every request
 * settles: by its answer, its timeout, its signal, or the end of the connection.
 */
export class RpcConnection {
  /** Called with each notification that comes in. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Resolves once, when the connection has ended from either side. */
  readonly closed: Promise<void>;

  readonly #transport: ClientTransport;
  readonly #meta: Params;
  readonly #pending = new Map<RequestId, PendingRequest>();
  #nextId = 1;
  #isClosed = false;
  #resolveClosed!: () => void;

  /** @param meta Goes as `_meta` into the params of every request. */
  constructor(transport: ClientTransport, meta: Params) {
    this.#transport = transport;
    this.#meta = meta;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => this.#end();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a request and resolves with its result. */
  request(method: string, params: Params, options: RequestOptions = {}): Promise<Result> {
    return this.requestWithId(method, params, options).result;
  }

  /** The same, telling the id of the request, which names a subscription. */
  requestWithId(
    method: string,
    params: Params,
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: RequestOptions,
  ): { id: RequestId; result: Promise<Result> } {
    const id = this.#nextId++;
    if (this.#isClosed) return { id, result: Promise.reject(closedError()) };
    if (signal?.aborted) return { id, result: Promise.reject(signal.reason as unknown) };
    const result = new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    const giveUp = (reason: unknown): void => this.#giveUp(id, reason);
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = startTimer(timeoutMs, () => giveUp(timeoutError(method, timeoutMs)));
    const request: JsonRpcRequest = {
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: this.#meta },
    };
    this.#transport.send(request).catch((error: unknown) => this.#settle(id)?.reject(error));
    const settled = result.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
    return { id, result: settled };
  }

  /** Ends the connection; what is outstanding rejects with `closed`. */
  async close(): Promise<void> {
    await this.#transport.close();
    this.#end();
  }

  #receive(message: JsonRpcMessage): void {
    if ('result' in message) this.#settle(message.id)?.resolve(message.result);
    else if ('error' in message) this.#fail(message.id, message.error);
    else if ('id' in message) this.#refuse(message.id);
    else this.onnotification?.(message.method, message.params ?? {});
  }

  #fail(id: RequestId | undefined, error: { code: number; message: string; data?: unknown }): void {
    if (id === undefined) return;
    this.#settle(id)?.reject(new McpError(error.code, error.message, error.data));
  }

  /** A modern server asks nothing of its client, but whoever asks gets an answer. */
  #refuse(id: RequestId): void {
    const error = { code: METHOD_NOT_FOUND, message: 'This client answers no requests.' };
    void this.#transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }

  #giveUp(id: RequestId, reason: unknown): void {
    const pending = this.#settle(id);
    if (!pending) return;
    const params = { requestId: id };
    void this.#transport
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      .catch(() => undefined);
    pending.reject(reason);
  }

  /** Takes a request off the list; whoever gets it settles it, so that it settles once. */
  #settle(id: RequestId): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const outstanding = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of outstanding) reject(closedError());
    this.#resolveClosed();
  }
}

function startTimer(delayMs: number, run: () => void): ReturnType<typeof setTimeout> | undefined {
  return Number.isFinite(delayMs) ? setTimeout(run, Math.min(delayMs, MAX_TIMER_MS)) : undefined;
}

function timeoutError(method: string, timeoutMs: number): ClientError {
  return new ClientError('timeout', `The server did not answer ${method} within ${timeoutMs} ms.`);
}
