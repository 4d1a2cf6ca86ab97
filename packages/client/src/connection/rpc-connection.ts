import type { Params, Result } from '@inpage-mcp/protocol/types';
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '@inpage-mcp/transport';
import { progress } from '../results/answer-shapes.js';
import { callSafely } from './call-safely.js';
import { closedError, McpError } from '../api/client-error.js';
import type { Progress } from '../api/protocol-types.js';

/** Carries the messages: `MessagePortTransport`, or another object of this shape. */
export interface ClientTransport {
  /** Begins to receive messages. Called once, after the callbacks are set. */
  start(): Promise<void>;
  /** Sends a message. Rejects if it cannot be sent. */
  send(message: JsonRpcMessage): Promise<void>;
  /** Ends the connection, and then calls `onclose`. */
  close(): Promise<void>;
  /** Set by the client. Called with each message. */
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  /** Set by the client. Called once, when the connection has ended from either side. */
  onclose?: (() => void) | undefined;
  /** Called with an error that does not end the connection. */
  onerror?: ((error: Error) => void) | undefined;
}

/** A request that was sent. */
export interface Call {
  /** The id of the request, which also identifies a subscription. */
  id: RequestId;
  /** Rejects with `closed` if the connection ends before the answer. */
  result: Promise<Result>;
  /** Sends a cancellation, and rejects `result` with the reason, unless it has settled. */
  cancel(reason: unknown): void;
}

/** Called with the progress of a request. */
export type OnProgress = (progress: Progress) => void;

interface PendingCall {
  resolve(result: Result): void;
  reject(error: unknown): void;
  onprogress: OnProgress | undefined;
}

const METHOD_NOT_FOUND = -32601;

/**
 * JSON-RPC over one transport: matches answers to requests, and ends with the transport. It has no timeouts,
 * because the caller decides how long to wait.
 */
export class RpcConnection {
  /** Called with each notification, except progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Called once, when the connection has ended from either side. */
  onclose: (() => void) | undefined;

  readonly #transport: ClientTransport;
  readonly #meta: Params;
  readonly #pending = new Map<unknown, PendingCall>();
  #isClosed = false;
  #nextId = 1;

  /** @param meta The `_meta` in the params of every request. */
  constructor(transport: ClientTransport, meta: Params) {
    this.#transport = transport;
    this.#meta = meta;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => this.#end();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  call(method: string, params: Params, onprogress?: OnProgress): Call {
    const id = this.#nextId++;
    // The id of a request is unique, so it is also the progress token.
    const token = onprogress ? { progressToken: id } : {};
    const _meta = { ...(params['_meta'] as Params | undefined), ...this.#meta, ...token };
    const request: JsonRpcRequest = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
    const result = new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) return reject(closedError());
      this.#pending.set(id, { resolve, reject, onprogress });
      this.#transport.send(request).catch((error: unknown) => this.#take(id)?.reject(error));
    });
    return { id, result, cancel: (reason) => this.#cancel(id, reason) };
  }

  /** Ends the connection; pending requests reject with `closed`. */
  async close(): Promise<void> {
    await this.#transport.close();
    this.#end();
  }

  #receive(message: JsonRpcMessage): void {
    if ('result' in message) this.#take(message.id)?.resolve(message.result);
    else if ('error' in message) this.#fail(message.id, message.error);
    else if ('id' in message) this.#refuse(message.id);
    else if (message.method === 'notifications/progress')
      this.#reportProgress(message.params ?? {});
    else this.onnotification?.(message.method, message.params ?? {});
  }

  #fail(id: RequestId | undefined, error: { code: number; message: string; data?: unknown }): void {
    this.#take(id)?.reject(new McpError(error.code, error.message, error.data));
  }

  #reportProgress({ progressToken, ...report }: Params): void {
    const onprogress = this.#pending.get(progressToken)?.onprogress;
    const clean = progress(report) as Progress | undefined;
    if (onprogress && clean) callSafely(() => onprogress(clean));
  }

  /** A modern server sends no requests to its client; if one arrives, it is rejected. */
  #refuse(id: RequestId): void {
    const error = { code: METHOD_NOT_FOUND, message: 'This client accepts no requests.' };
    this.#sendAndForget({ jsonrpc: '2.0', id, error });
  }

  #cancel(requestId: RequestId, reason: unknown): void {
    const call = this.#take(requestId);
    if (!call) return;
    call.reject(reason);
    this.#sendAndForget({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
  }

  #take(id: unknown): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }

  #sendAndForget(message: JsonRpcMessage): void {
    void this.#transport.send(message).catch(() => undefined);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(closedError());
    this.#pending.clear();
    this.onclose?.();
  }
}
