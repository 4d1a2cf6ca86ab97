import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { callSafely } from './call-safely.js';
import { McpError } from './client-error.js';
import { Outstanding, type WaitOptions } from './outstanding.js';
import type { Progress } from './protocol-types.js';
import { DEFAULT_TIMEOUT_MS, type RequestOptions } from './request-options.js';

/** What carries the messages: `MessagePortTransport`, or anything of the same shape. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

/** Limits of a request, and who hears of its progress. */
export interface RpcOptions extends RequestOptions {
  onprogress?: ((progress: Progress) => void) | undefined;
}

const METHOD_NOT_FOUND = -32601;

/** Of a request or a notification. */
export type Params = { [key: string]: unknown };
/** Of a request, as it came in. */
export type Result = { [key: string]: unknown };

/**
 * JSON-RPC over a transport: pairs answers with requests, and makes sure that every request
 * settles: by its answer, its timeout, its signal, or the end of the connection.
 */
export class RpcConnection {
  /** Called with each notification that comes in, but for progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Resolves once, when the connection has ended from either side. */
  readonly closed: Promise<void>;

  readonly #transport: ClientTransport;
  readonly #meta: Params;
  readonly #outstanding = new Outstanding();
  #nextId = 1;
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
    return this.#outstanding.isEnded;
  }

  /** Sends a request and resolves with its result. */
  request(method: string, params: Params, options: RpcOptions = {}): Promise<Result> {
    return this.requestWithId(method, params, options).result;
  }

  /** The same, telling the id of the request, which names a subscription. */
  requestWithId(
    method: string,
    params: Params,
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onprogress }: RpcOptions,
  ): { id: RequestId; result: Promise<Result> } {
    const id = this.#nextId++;
    // The id of a request is unique, so it names its progress as well.
    const _meta = onprogress ? { ...this.#meta, progressToken: id } : this.#meta;
    const request: JsonRpcRequest = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
    const send = (): void => {
      this.#transport
        .send(request)
        .catch((error: unknown) => this.#outstanding.take(id)?.reject(error));
    };
    const result = this.#outstanding.wait<Result>(id, send, {
      signal,
      timeoutMs,
      late: `The server did not answer ${method}`,
      ongiveup: () => this.#cancel(id),
      onprogress,
    });
    return { id, result };
  }

  /**
   * Waits for something else than the server, under the same rules as for a request. What comes
   * after its end is ignored.
   *
   * @param run Must not reject.
   */
  during<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value> {
    // No message can name this.
    const key = Symbol('wait');
    const begin = (): void =>
      void run().then((value) => this.#outstanding.take(key)?.resolve(value));
    return this.#outstanding.wait<Value>(key, begin, options);
  }

  /** Ends the connection; what is outstanding rejects with `closed`. */
  async close(): Promise<void> {
    await this.#transport.close();
    this.#end();
  }

  #receive(message: JsonRpcMessage): void {
    if ('result' in message) this.#outstanding.take(message.id)?.resolve(message.result);
    else if ('error' in message) this.#fail(message.id, message.error);
    else if ('id' in message) this.#refuse(message.id);
    else if (message.method === 'notifications/progress') this.#tellProgress(message.params ?? {});
    else this.onnotification?.(message.method, message.params ?? {});
  }

  #fail(id: RequestId | undefined, error: { code: number; message: string; data?: unknown }): void {
    this.#outstanding.take(id)?.reject(new McpError(error.code, error.message, error.data));
  }

  #tellProgress({ progressToken, ...told }: Params): void {
    const request = this.#outstanding.get(progressToken);
    if (!request?.onprogress || typeof told['progress'] !== 'number') return;
    request.restart();
    callSafely(() => request.onprogress?.(told as unknown as Progress));
  }

  /** A modern server asks nothing of its client, but whoever asks gets an answer. */
  #refuse(id: RequestId): void {
    const error = { code: METHOD_NOT_FOUND, message: 'This client answers no requests.' };
    this.#sendAnyway({ jsonrpc: '2.0', id, error });
  }

  #cancel(requestId: RequestId): void {
    this.#sendAnyway({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
  }

  /** Sends what nobody waits for. */
  #sendAnyway(message: JsonRpcMessage): void {
    void this.#transport.send(message).catch(() => undefined);
  }

  #end(): void {
    this.#outstanding.end();
    this.#resolveClosed();
  }
}
