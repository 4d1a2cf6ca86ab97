import type { Params, Result } from '@inpage-mcp/protocol/types';
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { progress } from '../results/answer-shapes.js';
import { callSafely } from './call-safely.js';
import { closedError, McpError } from '../api/client-error.js';
import type { Progress } from '../api/protocol-types.js';

/** What carries the messages: `MessagePortTransport`, or anything of the same shape. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: JsonRpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

/** A request that was sent. */
export interface Call {
  /** Names a subscription. */
  id: RequestId;
  /** Rejects with `closed` when the connection ends first. */
  result: Promise<Result>;
  /** Tells the server to stop, and rejects the result with the reason, unless it has settled. */
  cancel(reason: unknown): void;
}

/** Hears how far a request is. */
export type OnProgress = (progress: Progress) => void;

interface Waiting {
  resolve(result: Result): void;
  reject(error: unknown): void;
  onprogress: OnProgress | undefined;
}

const METHOD_NOT_FOUND = -32601;

/**
 * JSON-RPC over one transport, for the life of that: pairs answers with requests. How long to wait
 * for an answer is for the caller to say.
 */
export class RpcConnection {
  /** Called with each notification that comes in, but for progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Called once, when the connection has ended from either side. */
  onclose: (() => void) | undefined;

  readonly #transport: ClientTransport;
  readonly #meta: Params;
  readonly #waiting = new Map<unknown, Waiting>();
  #isClosed = false;
  #nextId = 1;

  /** @param meta Goes as `_meta` into the params of every request. */
  constructor(transport: ClientTransport, meta: Params) {
    this.#transport = transport;
    this.#meta = meta;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => this.#end();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a request. */
  call(method: string, params: Params, onprogress?: OnProgress): Call {
    const id = this.#nextId++;
    // The id of a request is unique, so it names its progress as well.
    const token = onprogress ? { progressToken: id } : {};
    const _meta = { ...(params['_meta'] as Params | undefined), ...this.#meta, ...token };
    const request: JsonRpcRequest = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
    const result = new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) return reject(closedError());
      this.#waiting.set(id, { resolve, reject, onprogress });
      this.#transport.send(request).catch((error: unknown) => this.#take(id)?.reject(error));
    });
    return { id, result, cancel: (reason) => this.#cancel(id, reason) };
  }

  /** Ends the connection; what is outstanding rejects with `closed`. */
  async close(): Promise<void> {
    await this.#transport.close();
    this.#end();
  }

  #receive(message: JsonRpcMessage): void {
    if ('result' in message) this.#take(message.id)?.resolve(message.result);
    else if ('error' in message) this.#fail(message.id, message.error);
    else if ('id' in message) this.#refuse(message.id);
    else if (message.method === 'notifications/progress') this.#tellProgress(message.params ?? {});
    else this.onnotification?.(message.method, message.params ?? {});
  }

  #fail(id: RequestId | undefined, error: { code: number; message: string; data?: unknown }): void {
    this.#take(id)?.reject(new McpError(error.code, error.message, error.data));
  }

  #tellProgress({ progressToken, ...told }: Params): void {
    const onprogress = this.#waiting.get(progressToken)?.onprogress;
    const clean = progress(told) as Progress | undefined;
    if (onprogress && clean) callSafely(() => onprogress(clean));
  }

  /** A modern server asks nothing of its client, but whoever asks gets an answer. */
  #refuse(id: RequestId): void {
    const error = { code: METHOD_NOT_FOUND, message: 'This client answers no requests.' };
    this.#sendAnyway({ jsonrpc: '2.0', id, error });
  }

  #cancel(requestId: RequestId, reason: unknown): void {
    const call = this.#take(requestId);
    if (!call) return;
    call.reject(reason);
    this.#sendAnyway({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
  }

  #take(id: unknown): Waiting | undefined {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    return call;
  }

  /** Sends what nobody waits for. */
  #sendAnyway(message: JsonRpcMessage): void {
    void this.#transport.send(message).catch(() => undefined);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(closedError());
    this.#waiting.clear();
    this.onclose?.();
  }
}
