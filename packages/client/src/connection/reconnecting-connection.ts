import { backoffMs, MAX_DELAY_MS, pause } from './backoff.js';
import { StateListeners, type ClientState } from './client-state.js';
import { ClientError, closedError, lostError, type ClientErrorCode } from '../api/client-error.js';
import { introduce, isFinal, UNDISCOVERED, type OpenTransport } from './introduction.js';
import { Outstanding, type WaitOptions } from './outstanding.js';
import type { DiscoverResult } from '../api/protocol-types.js';
import { isRepeatable } from './repeatable-requests.js';
import { DEFAULT_TIMEOUT_MS, type RequestOptions } from '../api/request-options.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import type { Call, OnProgress, RpcConnection } from './rpc-connection.js';

/** A page whose timer is so late was asleep, and may have had no time for an attempt. */
const OVERSLEPT_MS = 2_000;

/** Limits of a request, and who hears of its progress. */
interface RpcOptions extends RequestOptions {
  onprogress?: OnProgress | undefined;
}

/** A request, whichever connection carries it. */
interface Errand {
  method: string;
  params: Params;
  onprogress: OnProgress | undefined;
  /** On the connection that it was sent on last. */
  call: Call | undefined;
}

/** How to connect, and to connect again. */
export interface ReconnectOptions {
  open: OpenTransport;
  /** Whether `open` may be called more than once; otherwise the first loss is the end. */
  reopens: boolean;
  /** Goes as `_meta` into the params of every request. */
  meta: Params;
  /** Milliseconds that one attempt may take, and the first connection with all its attempts. */
  timeoutMs: number;
  /** Milliseconds from a loss to the end of the attempts, not counting sleep. */
  reconnectTimeoutMs: number;
}

/**
 * The connection of a client, which outlives the transports that carry it, one after the other.
 *
 * When one is lost, requests wait for the next, under the limits that they have; reads, and writes
 * that the server knows again, are sent there a second time. Nothing is sent a third time.
 */
export class ReconnectingConnection {
  /** Called with each notification of the connection in use, but for progress. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Resolves once, when the connection has ended for good. */
  readonly closed: Promise<void>;
  /** Who wants to hear of each new {@link state}. */
  readonly stateListeners = new StateListeners();

  readonly #options: ReconnectOptions;
  readonly #outstanding = new Outstanding();
  #resolveClosed!: () => void;
  #current: RpcConnection | undefined;
  #discovered: DiscoverResult | undefined;
  /** Settles when the attempts to open a connection have come to an end. */
  #opening: Promise<void> | undefined;
  /** How many attempts there were since a connection has lasted, for the pause before the next. */
  #attempts = 0;
  #openedAt = 0;
  /** Why the last attempt failed. */
  #failure: unknown;

  constructor(options: ReconnectOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get isClosed(): boolean {
    return this.#outstanding.isEnded;
  }

  get state(): ClientState {
    if (this.isClosed) return 'closed';
    return this.#current ? 'open' : 'reconnecting';
  }

  /** What the server of the last connection said that it can do. There is one after `start()`. */
  get discovered(): DiscoverResult {
    return this.#discovered!;
  }

  /**
   * Opens the first connection.
   *
   * @throws What made the last attempt fail; `timeout`, with that as its `cause`; the reason of the
   *   signal. The connection has then ended.
   */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const { timeoutMs } = this.#options;
    try {
      await this.#connect({ signal, timeoutMs, late: UNDISCOVERED });
      this.#attempts = 0;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Resolves with the connection in use, as soon as there is one; rejects with `closed`. */
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
   * @throws {ClientError} `connection-lost` when it was under way and is not to be sent again.
   */
  request(
    method: string,
    params: Params,
    { signal, timeoutMs = DEFAULT_TIMEOUT_MS, onprogress }: RpcOptions = {},
  ): Promise<Result> {
    const errand: Errand = { method, params, call: undefined, onprogress: undefined };
    if (onprogress)
      errand.onprogress = (progress) => {
        this.#outstanding.get(errand)?.restart();
        onprogress(progress);
      };
    const begin = (): void => this.#outstanding.settle(errand, this.#carry(errand));
    return this.#outstanding.wait<Result>(errand, begin, {
      signal,
      timeoutMs,
      late: `The server did not answer ${method}`,
      ongiveup: (reason) => errand.call?.cancel(reason),
    });
  }

  /** Waits for something else than the server, under the same rules as for a request. */
  during<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value> {
    return this.#outstanding.during(run, options);
  }

  /** Ends the connection for good; what is outstanding rejects with `closed`. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#end();
    await current?.close();
  }

  /** Sends a request on the connection in use, and if that is lost and it may be, on the next. */
  async #carry(errand: Errand): Promise<Result | undefined> {
    const { method, params, onprogress } = errand;
    for (let losses = 0; ; losses += 1) {
      const connection = this.#current ?? (await this.whenOpen());
      // Given up meanwhile.
      if (!this.#outstanding.get(errand)) return undefined;
      errand.call = connection.call(method, params, onprogress);
      try {
        return await errand.call.result;
      } catch (error) {
        if (!connection.isClosed || !hasCode(error, 'closed')) throw error;
        if (losses > 0 || !isRepeatable(method, params)) throw lostError(method);
      }
    }
  }

  async #connect(limits: RequestOptions & WaitOptions): Promise<void> {
    try {
      await this.#outstanding.during((over) => this.#tryUntilOpen(over), limits);
    } catch (error) {
      if (hasCode(error, 'timeout')) error.cause ??= this.#failure;
      throw error;
    }
  }

  async #tryUntilOpen(over: AbortSignal): Promise<void> {
    const { open, meta, timeoutMs, reopens } = this.#options;
    for (;;) {
      await pause(backoffMs(this.#attempts), over);
      // The signal aborts only after this turn.
      if (this.isClosed || over.aborted) return;
      this.#attempts += 1;
      try {
        const { connection, discovered } = await introduce(open, meta, { signal: over, timeoutMs });
        return this.#use(connection, discovered, over);
      } catch (error) {
        if (!reopens) throw hasCode(error, 'connection-lost') ? closedError() : error;
        if (isFinal(error)) throw error;
        this.#failure = error;
      }
    }
  }

  #use(connection: RpcConnection, discovered: DiscoverResult, over: AbortSignal): void {
    // In the same turn it came to be too late.
    if (this.isClosed || over.aborted) return void connection.close().catch(() => undefined);
    if (connection.isClosed) throw lostError('server/discover');
    connection.onnotification = (method, params) => this.onnotification?.(method, params);
    connection.onclose = () => this.#lose();
    this.#current = connection;
    this.#openedAt = performance.now();
    this.#discovered = discovered;
    this.#failure = undefined;
    this.stateListeners.tell('open');
  }

  #lose(): void {
    this.#current = undefined;
    if (this.isClosed) return;
    if (!this.#options.reopens) return this.#end();
    // Who accepts and hangs up at once is not called again at once for ever.
    if (performance.now() - this.#openedAt >= MAX_DELAY_MS) this.#attempts = 0;
    this.#opening = this.#connectAgain().catch((error: unknown) => this.#end(error));
    this.stateListeners.tell('reconnecting');
  }

  async #connectAgain(): Promise<void> {
    const timeoutMs = this.#options.reconnectTimeoutMs;
    const late = 'There was no new connection to the MCP server';
    for (;;) {
      const since = performance.now();
      try {
        return await this.#connect({ timeoutMs, late });
      } catch (error) {
        const overdueMs = performance.now() - since - timeoutMs;
        if (!hasCode(error, 'timeout') || overdueMs < OVERSLEPT_MS) throw error;
        // The page was frozen, or in the back/forward cache: its time begins anew, at once.
        this.#attempts = 0;
      }
    }
  }

  #end(cause?: unknown): void {
    if (this.isClosed) return;
    this.#outstanding.end(cause);
    this.stateListeners.tell('closed');
    this.#resolveClosed();
  }
}

function hasCode(error: unknown, code: ClientErrorCode): error is ClientError {
  return error instanceof ClientError && error.code === code;
}
