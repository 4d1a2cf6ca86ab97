import type { JsonRpcError, JsonRpcRequest, JsonRpcResult, RequestId } from '@inpage-mcp/transport';
import { internalError } from '../wire/errors.js';
import { NOTIFICATIONS } from '../wire/keys.js';
import type { Params, Result } from '../wire/types.js';
import type { Deadlines, Timed } from './deadlines.js';

/** A request of the server that its client has yet to answer. */
interface Asked extends Timed {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** What one connection asks its client; only the legacy era has that. */
export class ClientRequests {
  readonly #asked = new Map<RequestId, Asked>();
  readonly #deadlines: Deadlines;
  readonly #send: (message: JsonRpcRequest | { method: string; params: Params }) => void;
  #lastId = 0;

  /** @param send Posts a request, or a notification. It may throw. */
  constructor(
    deadlines: Deadlines,
    send: (message: JsonRpcRequest | { method: string; params: Params }) => void,
  ) {
    this.#deadlines = deadlines;
    this.#send = send;
  }

  /**
   * Settles with the answer. Rejects with an error of the client's, when it takes longer than
   * `timeoutMs` milliseconds, and with the reason of `signal`; the client is notified of the last two.
   */
  async ask(
    method: string,
    params: Params,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Result> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    let onAbort!: () => void;
    try {
      return await new Promise<Result>((resolve, reject) => {
        const cancel = (reason: unknown): void => {
          reject(reason);
          this.#cancel(id);
        };
        const expire = (): void =>
          cancel(internalError(`The client did not answer within ${timeoutMs / 1_000} s.`));
        const asked = { dueAt: performance.now() + timeoutMs, expire, resolve, reject };
        onAbort = () => cancel(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#send({ jsonrpc: '2.0', id, method, params });
        this.#asked.set(id, asked);
        this.#deadlines.add(asked);
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#forget(id);
    }
  }

  /** Whether the client has yet to answer a request. */
  has(id: RequestId): boolean {
    return this.#asked.has(id);
  }

  /** Takes an answer. `false` for one to nothing, or to what is over. */
  answered(message: JsonRpcResult | JsonRpcError): boolean {
    const asked = message.id === undefined ? undefined : this.#asked.get(message.id);
    if (!asked) return false;
    if ('result' in message) asked.resolve(message.result);
    else asked.reject(new Error(message.error.message));
    return true;
  }

  #cancel(id: number): void {
    try {
      this.#send({ method: NOTIFICATIONS.cancelled, params: { requestId: id } });
    } catch {
      // The connection has ended: there is nobody to notify.
    }
  }

  #forget(id: RequestId): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    this.#deadlines.delete(asked);
  }
}
