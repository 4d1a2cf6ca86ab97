import type { JsonRpcError, JsonRpcRequest, JsonRpcResult, RequestId } from '@inpage-mcp/transport';
import { startTimer } from '../fairness/start-timer.js';
import { internalError } from '../wire/errors.js';
import { NOTIFICATIONS } from '../wire/keys.js';
import type { Params, Result } from '../wire/types.js';

/** A request of the server that the client has not answered yet. */
interface PendingRequest {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** The requests of one connection to its client; only the legacy era has them. */
export class ClientRequests {
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #send: (message: JsonRpcRequest | { method: string; params: Params }) => void;
  #lastId = 0;

  /** @param send Posts a request or a notification. May throw. */
  constructor(send: (message: JsonRpcRequest | { method: string; params: Params }) => void) {
    this.#send = send;
  }

  /**
   * Asks the client, and resolves with its result. Rejects with the client's error, after `timeoutMs`
   * milliseconds, or with the reason of `signal`; in the last two cases the client is notified.
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
    let timer: ReturnType<typeof startTimer>;
    try {
      return await new Promise<Result>((resolve, reject) => {
        const cancel = (reason: unknown): void => {
          reject(reason);
          this.#cancel(id);
        };
        const expire = (): void =>
          cancel(internalError(`The client did not answer within ${timeoutMs / 1_000} s.`));
        onAbort = () => cancel(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#send({ jsonrpc: '2.0', id, method, params });
        this.#pending.set(id, { resolve, reject });
        timer = startTimer(expire, timeoutMs);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
    }
  }

  /** Whether a request to the client is pending. */
  has(id: RequestId): boolean {
    return this.#pending.has(id);
  }

  /** Settles a pending request with its answer. Returns `false` if no such request is pending. */
  settle(message: JsonRpcResult | JsonRpcError): boolean {
    const pending = message.id === undefined ? undefined : this.#pending.get(message.id);
    if (!pending) return false;
    if ('result' in message) pending.resolve(message.result);
    else pending.reject(new Error(message.error.message));
    return true;
  }

  #cancel(id: number): void {
    try {
      this.#send({ method: NOTIFICATIONS.cancelled, params: { requestId: id } });
    } catch {
      // The connection has ended: the client cannot be notified.
    }
  }
}
