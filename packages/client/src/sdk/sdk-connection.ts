import type { DiscoverResult, Progress } from '../api/protocol-types.js';
import { META } from '../api/protocol-types.js';
import { DEFAULT_TIMEOUT_MS, DEFAULT_TOTAL_TIMEOUT_MS } from '../api/request-options.js';
import { callSafely } from '../connection/call-safely.js';
import type {
  ClientConnection,
  OpenConnection,
  RpcOptions,
} from '../connection/client-connection.js';
import { closedError } from '../api/client-error.js';
import { StateListeners, type ClientState } from '../connection/client-state.js';
import { MAX_TIMER_MS, PendingWaits, type WaitOptions } from '../connection/pending-waits.js';
import type { Call, OnProgress } from '../connection/rpc-connection.js';
import { discovery, progress } from '../results/answer-shapes.js';
import { object } from '../results/checks.js';
import { Streams } from '../subscriptions/streams.js';
import type { Params, Result } from '@inpage-mcp/protocol/types';
import { translateError } from './sdk-errors.js';
import { listenIn } from './sdk-streams.js';
import type { SdkClient, SdkTransport } from './sdk-types.js';

/**
 * A schema that accepts everything, for both versions of the SDK: this package checks the results.
 * With the schemas of the SDK, one invalid entry would make a whole list invalid.
 */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'inpage-mcp', validate: (value: unknown) => ({ value }) },
  safeParse: (data: unknown) => ({ success: true, data }),
  parse: (data: unknown) => data,
};

/**
 * The connection of a client of the SDK. Its timeouts are those of this package, with one exception:
 * while the SDK asks the user a question of a modern server, only the total time of the call passes.
 */
export class SdkConnection implements ClientConnection, OpenConnection {
  onnotification: ((method: string, params: Params) => void) | undefined;
  readonly closed: Promise<void>;
  readonly stateListeners = new StateListeners();
  readonly discovered: DiscoverResult;

  readonly #client: SdkClient;
  readonly #pending = new PendingWaits();
  readonly #streams: Streams;
  #resolveClosed!: () => void;

  /** @param transport The transport of the client. */
  constructor(client: SdkClient, transport: SdkTransport) {
    this.#client = client;
    this.discovered = discover(client);
    this.#streams = new Streams(this, listenIn(client, this));
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#observe(transport);
  }

  get isClosed(): boolean {
    return this.#pending.isEnded;
  }

  get state(): ClientState {
    return this.isClosed ? 'closed' : 'open';
  }

  /** Resolves with this connection. It does not reconnect, so it is open until it ends. */
  async whenOpen(): Promise<OpenConnection> {
    if (this.isClosed) throw closedError();
    return this;
  }

  /** Opens a stream of notifications, in both eras as with `subscriptions/listen`. */
  call(_method: string, params: Params): Call {
    return this.#streams.open(params);
  }

  request(
    method: string,
    params: Params,
    {
      signal,
      timeoutMs = DEFAULT_TIMEOUT_MS,
      totalTimeoutMs = Math.max(timeoutMs, DEFAULT_TOTAL_TIMEOUT_MS),
      onprogress,
    }: RpcOptions = {},
  ): Promise<Result> {
    return this.#pending.waitFor(
      (abort) => this.#send(method, params, abort, timeoutMs, onprogress),
      {
        signal,
        timeoutMs: totalTimeoutMs,
        timeoutText: `The server did not answer ${method}`,
      },
    );
  }

  waitFor<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value> {
    return this.#pending.waitFor(run, options);
  }

  async close(): Promise<void> {
    await this.#client.close();
    this.#end();
  }

  async #send(
    method: string,
    params: Params,
    signal: AbortSignal,
    timeoutMs: number,
    onprogress: OnProgress | undefined,
  ): Promise<Result> {
    const timeout = Math.min(timeoutMs, MAX_TIMER_MS);
    const options = { signal, timeout, resetTimeoutOnProgress: true, ...reporting(onprogress) };
    try {
      const request = { method, params };
      const args = [request, ANY_RESULT, options] as unknown as [never, never, never];
      return (object(await this.#client.request(...args)) ?? {}) as Result;
    } catch (error) {
      throw translateError(error, method, timeoutMs);
    }
  }

  /**
   * Adds itself to the callbacks of the transport, as the SDK does in `connect`. The SDK has one
   * handler for each type of notification, which this package would take from the app.
   */
  #observe(transport: SdkTransport): void {
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      // The SDK comes first, because it evicts from its cache what a listener may read.
      onmessage?.call(transport, message, extra);
      this.#receive(message);
    };
    transport.onclose = () => {
      onclose?.call(transport);
      this.#end();
    };
  }

  #receive({ method, id, params }: { method?: unknown; id?: unknown; params?: unknown }): void {
    if (typeof method === 'string' && id === undefined) this.#streams.forward(method, params);
  }

  #end(): void {
    if (this.isClosed) return;
    this.#pending.end();
    this.#streams.end();
    this.stateListeners.notify('closed');
    this.#resolveClosed();
  }
}

/** The facts that the SDK knows about the server, without their invalid parts. */
function discover(client: SdkClient): DiscoverResult {
  const capabilities = client.getServerCapabilities();
  const _meta = { [META.serverInfo]: client.getServerVersion() };
  return discovery({ supportedVersions: [], capabilities, _meta }) as DiscoverResult;
}

/** The option of the SDK for a listener, which gets only valid reports. */
function reporting(onprogress: OnProgress | undefined): object | undefined {
  if (!onprogress) return undefined;
  return {
    onprogress(report: unknown) {
      const clean = progress(report) as Progress | undefined;
      if (clean) callSafely(() => onprogress(clean));
    },
  };
}
