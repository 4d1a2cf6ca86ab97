import type { Params, Result } from '@inpage-mcp/protocol/types';
import { closedError, type ClientError, type McpError } from '../api/client-error.js';
import { META, type DiscoverResult } from '../api/protocol-types.js';
import { DEFAULT_TIMEOUT_MS, DEFAULT_TOTAL_TIMEOUT_MS } from '../api/request-options.js';
import type {
  ClientConnection,
  OpenConnection,
  RpcOptions,
} from '../connection/client-connection.js';
import { StateListeners, type ClientState } from '../connection/client-state.js';
import { PendingWaits, type WaitOptions } from '../connection/pending-waits.js';
import { RpcConnection, type Call } from '../connection/rpc-connection.js';
import { discovery } from '../results/answer-shapes.js';
import { object } from '../results/checks.js';
import { HostTransport, type RequestHandler } from './host-transport.js';
import { LiveResources } from './live-resources.js';

/**
 * The key in `hostCapabilities.experimental` under which our own host declares the features that it offers in
 * addition to the extension.
 */
const OWN_SERVER = 'io.github.inpage-mcp/server';

/**
 * The timeout for the answer to `tools/list`, in milliseconds, if the tools are known anyway: the host may
 * not know this request.
 */
const TOOL_LIST_TIMEOUT_MS = 2_000;

const METHOD_NOT_FOUND = -32601;

/** The connection of an app to its host, which passes the requests of the app on to the app's server. */
export class HostConnection implements ClientConnection, OpenConnection {
  onnotification: ((method: string, params: Params) => void) | undefined;
  readonly closed: Promise<void>;
  readonly stateListeners = new StateListeners();
  discovered: DiscoverResult = { supportedVersions: [] };
  /** The tools of the server, unchecked, to use as long as the host does not list them. */
  knownTools: readonly unknown[] = [];
  readonly transport: HostTransport;

  readonly #rpc: RpcConnection;
  readonly #pending = new PendingWaits();
  readonly #live = new LiveResources(this);
  #hostListsNone = false;
  #resolveClosed!: () => void;

  /** @param handlers The handlers that answer the requests of the host, by method. */
  constructor(host: Window, handlers: ReadonlyMap<string, RequestHandler>) {
    this.transport = new HostTransport(host, handlers);
    this.#rpc = new RpcConnection(this.transport, {});
    this.#rpc.onnotification = (method, params) => {
      // A host that reports changes of the list probably has one, and was only slow.
      if (method === 'notifications/tools/list_changed') this.#hostListsNone = false;
      this.#live.streams.forward(method, params);
    };
    this.#rpc.onclose = () => this.#end();
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    void this.transport.start();
  }

  get isClosed(): boolean {
    return this.#pending.isEnded;
  }

  get state(): ClientState {
    return this.isClosed ? 'closed' : 'open';
  }

  /**
   * Resolves with this connection. It does not reconnect, because a host that has gone has removed this
   * document, too.
   */
  async whenOpen(): Promise<OpenConnection> {
    if (this.isClosed) throw closedError();
    return this;
  }

  /**
   * Reads the capabilities of the server from those of the host.
   *
   * @param hostCapabilities Unchecked.
   */
  discover({ serverTools: tools, serverResources: resources, experimental }: Params): void {
    const own = object((experimental as Params | undefined)?.[OWN_SERVER]) as Params | undefined;
    const { serverInfo, ...capabilities } = { tools, resources, ...own } as Params;
    const _meta = { [META.serverInfo]: serverInfo };
    this.discovered = discovery({ supportedVersions: [], capabilities, _meta }) as DiscoverResult;
  }

  /** Opens a stream of notifications, as with `subscriptions/listen`. */
  call(_method: string, params: Params): Call {
    return this.#live.streams.open(params);
  }

  async request(method: string, params: Params, options: RpcOptions = {}): Promise<Result> {
    if (method === 'tools/list') return await this.#listTools(params, options);
    const result = await this.#send(method, params, options);
    if (method === 'tools/call') this.#live.afterCall(params['name']);
    return result;
  }

  waitFor<Value>(run: () => Promise<Value>, options: WaitOptions): Promise<Value> {
    return this.#pending.waitFor(run, options);
  }

  async close(): Promise<void> {
    await this.#rpc.close();
  }

  /**
   * Requests the list of tools. Many hosts pass on calls of tools, but reject the request for their list, or
   * never answer it.
   */
  async #listTools(params: Params, options: RpcOptions): Promise<Result> {
    const tools = [...this.knownTools];
    const knowsTools = tools.length > 0;
    if (knowsTools && this.#hostListsNone) return { tools };
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const patienceMs = Math.min(timeoutMs, knowsTools ? TOOL_LIST_TIMEOUT_MS : Infinity);
    try {
      return await this.#send('tools/list', params, { ...options, timeoutMs: patienceMs });
    } catch (error) {
      const { code } = error as ClientError | McpError;
      this.#hostListsNone = code === METHOD_NOT_FOUND || code === 'timeout';
      if (knowsTools && this.#hostListsNone) return { tools };
      throw error;
    }
  }

  #send(method: string, params: Params, options: RpcOptions): Promise<Result> {
    const { timeoutMs = defaultTimeoutMs(method), onprogress } = options;
    const { totalTimeoutMs = Math.max(timeoutMs, DEFAULT_TOTAL_TIMEOUT_MS) } = options;
    const timeoutText = `The host did not answer ${method}`;
    const key = {};
    const report: RpcOptions['onprogress'] = (progress) => {
      this.#pending.get(key)?.restart();
      onprogress!(progress);
    };
    const send = (signal: AbortSignal): Promise<Result> => {
      let call: Call | undefined;
      const begin = (): void => {
        call = this.#rpc.call(method, params, onprogress && report);
        this.#pending.settle(key, call.result);
      };
      const ongiveup = (reason: unknown): void => call?.cancel(reason);
      return this.#pending.wait<Result>(key, begin, { signal, timeoutMs, timeoutText, ongiveup });
    };
    const whole = { signal: options.signal, timeoutMs: totalTimeoutMs, timeoutText };
    return this.#pending.waitFor(send, whole);
  }

  #end(): void {
    if (this.isClosed) return;
    this.#pending.end();
    this.#live.streams.end();
    this.stateListeners.notify('closed');
    this.#resolveClosed();
  }
}

/**
 * The default timeout of a request: a host may ask its user before it calls a tool, or before it does
 * something for an app.
 */
function defaultTimeoutMs(method: string): number {
  const mayAsk = method === 'tools/call' || method.startsWith('ui/');
  return mayAsk ? DEFAULT_TOTAL_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
}
