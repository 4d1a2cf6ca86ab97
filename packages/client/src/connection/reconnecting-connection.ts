import { backoffMs, MAX_DELAY_MS, pause } from './backoff.js';
import type { ClientConnection, RpcOptions } from './client-connection.js';
import { StateListeners, type ClientState } from './client-state.js';
import { ClientError, closedError, lostError, type ClientErrorCode } from '../api/client-error.js';
import {
  openConnection,
  isPermanent,
  DISCOVERY_TIMEOUT_TEXT,
  type OpenTransport,
} from './open-connection.js';
import { PendingWaits, type WaitOptions } from './pending-waits.js';
import type { DiscoverResult } from '../api/protocol-types.js';
import { isRetryable } from './retryable-requests.js';
import { DEFAULT_TIMEOUT_MS, type RequestOptions } from '../api/request-options.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import type { Call, OnProgress, RpcConnection } from './rpc-connection.js';

/** The delay of a timer that shows that the page was asleep, and may have had no time for an attempt. */
const SLEEP_THRESHOLD_MS = 2_000;

/** A request, on any connection. */
interface PendingRequest {
  method: string;
  params: Params;
  onprogress: OnProgress | undefined;
  /** The call on the last connection. */
  call: Call | undefined;
}

/** Options for connecting and reconnecting. */
export interface ReconnectOptions {
  open: OpenTransport;
  /** Whether `open` may be called again; if not, the first connection loss closes the client. */
  reopens: boolean;
  /** The `_meta` in the params of every request. */
  meta: Params;
  /** Milliseconds that one attempt may take, and the first connection including all its attempts. */
  timeoutMs: number;
  /** Milliseconds from a connection loss to the end of the attempts, not counting sleep. */
  reconnectTimeoutMs: number;
}

/**
 * The connection of a client, over one transport after another.
 *
 * If a transport is lost, requests wait for the next one, within their limits. Reads, and writes with
 * an idempotency key, are sent there a second time. No request is sent a third time.
 */
export class ReconnectingConnection implements ClientConnection {
  /** Called with each notification of the current connection, except progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Resolves when the connection has ended for good. */
  readonly closed: Promise<void>;
  /** Notified of each new {@link state}. */
  readonly stateListeners = new StateListeners();

  readonly #options: ReconnectOptions;
  readonly #pending = new PendingWaits();
  #resolveClosed!: () => void;
  #current: RpcConnection | undefined;
  #discovered: DiscoverResult | undefined;
  /** Settles when the attempts to open a connection have ended. */
  #opening: Promise<void> | undefined;
  /** The attempts since the last stable connection, for the delay before the next one. */
  #attempts = 0;
  #openedAt = 0;
  /** The error of the last failed attempt. */
  #failure: unknown;

  constructor(options: ReconnectOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get isClosed(): boolean {
    return this.#pending.isEnded;
  }

  get state(): ClientState {
    if (this.isClosed) return 'closed';
    return this.#current ? 'open' : 'reconnecting';
  }

  /** The capabilities of the last connection's server. Defined after `start()`. */
  get discovered(): DiscoverResult {
    return this.#discovered!;
  }

  /**
   * Opens the first connection.
   *
   * @throws The error of the last attempt; `timeout`, with that error as its `cause`; the reason of
   *   the signal. The connection has then ended.
   */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const { timeoutMs } = this.#options;
    try {
      await this.#connect({ signal, timeoutMs, timeoutText: DISCOVERY_TIMEOUT_TEXT });
      this.#attempts = 0;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Resolves with the current connection, as soon as it is open; rejects with `closed`. */
  async whenOpen(): Promise<RpcConnection> {
    while (!this.#current) {
      if (this.isClosed) throw closedError();
      await this.#opening;
    }
    return this.#current;
  }

  /**
   * Sends a request and resolves with its result.
   *
   * @throws {ClientError} `connection-lost` if the request was pending and may not be sent again.
   */
  request(
    method: string,
    params: Params,
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onprogress }: RpcOptions = {},
  ): Promise<Result> {
    const request: PendingRequest = { method, params, call: undefined, onprogress: undefined };
    if (onprogress)
      request.onprogress = (progress) => {
        this.#pending.get(request)?.restart();
        onprogress(progress);
      };
    const begin = (): void => this.#pending.settle(request, this.#send(request));
    return this.#pending.wait<Result>(request, begin, {
      signal,
      timeoutMs,
      timeoutText: `The server did not answer ${method}`,
      ongiveup: (reason) => request.call?.cancel(reason),
    });
  }

  /** Waits for a promise that is not an answer of the server, by the same rules. */
  waitFor<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value> {
    return this.#pending.waitFor(run, options);
  }

  /** Ends the connection for good; pending requests reject with `closed`. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#end();
    await current?.close();
  }

  /** Sends a request. If the connection is lost and the request is retryable, sends it on the next. */
  async #send(request: PendingRequest): Promise<Result | undefined> {
    const { method, params, onprogress } = request;
    for (let losses = 0; ; losses += 1) {
      const connection = this.#current ?? (await this.whenOpen());
      // The wait has ended: timeout or signal.
      if (!this.#pending.get(request)) return undefined;
      request.call = connection.call(method, params, onprogress);
      try {
        return await request.call.result;
      } catch (error) {
        if (!connection.isClosed || !hasCode(error, 'closed')) throw error;
        if (losses > 0 || !isRetryable(method, params)) throw lostError(method);
      }
    }
  }

  async #connect(limits: RequestOptions & WaitOptions): Promise<void> {
    try {
      await this.#pending.waitFor((signal) => this.#retryUntilOpen(signal), limits);
    } catch (error) {
      if (hasCode(error, 'timeout')) error.cause ??= this.#failure;
      throw error;
    }
  }

  async #retryUntilOpen(signal: AbortSignal): Promise<void> {
    const { open, meta, timeoutMs, reopens } = this.#options;
    for (;;) {
      await pause(backoffMs(this.#attempts), signal);
      // `isClosed` too: the signal aborts only after this turn.
      if (this.isClosed || signal.aborted) return;
      this.#attempts += 1;
      try {
        const { connection, discovered } = await openConnection(open, meta, { signal, timeoutMs });
        return this.#use(connection, discovered, signal);
      } catch (error) {
        if (!reopens) throw hasCode(error, 'connection-lost') ? closedError() : error;
        if (isPermanent(error)) throw error;
        this.#failure = error;
      }
    }
  }

  #use(connection: RpcConnection, discovered: DiscoverResult, signal: AbortSignal): void {
    // The wait may have ended in the same turn.
    if (this.isClosed || signal.aborted) return void connection.close().catch(() => undefined);
    if (connection.isClosed) throw lostError('server/discover');
    connection.onnotification = (method, params) => this.onnotification?.(method, params);
    connection.onclose = () => this.#lose();
    this.#current = connection;
    this.#openedAt = performance.now();
    this.#discovered = discovered;
    this.#failure = undefined;
    this.stateListeners.notify('open');
  }

  #lose(): void {
    this.#current = undefined;
    if (this.isClosed) return;
    if (!this.#options.reopens) return this.#end();
    // If a server accepts and disconnects at once, the delay continues to grow.
    if (performance.now() - this.#openedAt >= MAX_DELAY_MS) this.#attempts = 0;
    this.#opening = this.#reconnect().catch((error: unknown) => this.#end(error));
    this.stateListeners.notify('reconnecting');
  }

  async #reconnect(): Promise<void> {
    const timeoutMs = this.#options.reconnectTimeoutMs;
    const timeoutText = 'Could not reconnect to the MCP server';
    for (;;) {
      const since = performance.now();
      try {
        return await this.#connect({ timeoutMs, timeoutText });
      } catch (error) {
        const overdueMs = performance.now() - since - timeoutMs;
        if (!hasCode(error, 'timeout') || overdueMs < SLEEP_THRESHOLD_MS) throw error;
        // The page was frozen, or in the back/forward cache: the time restarts, without a delay.
        this.#attempts = 0;
      }
    }
  }

  #end(cause?: unknown): void {
    if (this.isClosed) return;
    this.#pending.end(cause);
    this.stateListeners.notify('closed');
    this.#resolveClosed();
  }
}

function hasCode(error: unknown, code: ClientErrorCode): error is ClientError {
  return error instanceof ClientError && error.code === code;
}
