import type { Implementation } from '@inpage-mcp/protocol/types';
import { McpError } from '../api/client-error.js';
import type { CallOptions, PageOptions } from '../api/request-options.js';
import type { CallToolResult, ListToolsResult, Tool } from '../api/tool-types.js';
import { APPS_REVISION } from '../apps/app-metadata.js';
import { PendingWaits } from '../connection/pending-waits.js';
import { checkResult } from '../results/check-result.js';
import {
  blocksOf,
  ERROR,
  errorOf,
  errorOfApp,
  hostCapabilities,
  isRecord,
  isSame,
  sizeOf,
  webAddress,
} from './app-messages.js';
import type {
  AppServer,
  AppSessionOptions,
  HostContext,
  Json,
  ModelContext,
} from './host-types.js';
import { isModestJson } from './json-size.js';
import { ServerOfApp, type Methods } from './server-of-app.js';

/** The maximum number of requests of an app that are open at once. */
const MAX_OPEN_CALLS = 64;

/** The maximum number of messages of an app in a second; more count as a flood. */
const MAX_MESSAGES_PER_SECOND = 2_000;

/** The maximum number of an app's own tools. */
const MAX_OWN_TOOLS = 50;

/** The time that an app has for a call of one of its own tools, in milliseconds. */
const OWN_CALL_MS = 30_000;

/** The time that an app has to save its state before it is removed, in milliseconds. */
const TEARDOWN_MS = 2_000;

/**
 * The conversation with one app (MCP Apps, 2026-01-26 and its draft), over any transport. The app reaches its
 * server through it: only tools that are visible to apps, and only the calls that the page's hooks permit.
 *
 * A session opens no connection. Give each app a connection for itself, with the access that the app shall
 * have, so that the limits of guests apply to it.
 */
export class AppSession {
  /**
   * The facts that the app has declared about itself: `tools`, `availableDisplayModes`. Empty before it
   * starts.
   */
  appCapabilities: Json = {};
  readonly #options: AppSessionOptions;
  #context: HostContext;
  /** The context that the app knows. */
  #told: HostContext = {};
  /** Whether the app has reported that it is ready for notifications. */
  #isReady = false;
  #input: Json | undefined;
  /** The arguments that a model is still writing. */
  #partialInput: Json | undefined;
  #end: { method: string; params: Json } | undefined;
  readonly #calls = new Map<unknown, AbortController>();
  readonly #own = new PendingWaits();
  #lastId = 0;
  readonly #server: ServerOfApp | undefined;
  #teardown: Promise<void> | undefined;
  readonly #ended = new AbortController();
  #second = { startMs: 0, messages: 0 };

  constructor(options: AppSessionOptions) {
    this.#options = options;
    this.#context = options.context ?? {};
    const { client, transport } = options;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => this.end();
    this.#server = client && this.#serverOf(client);
  }

  #serverOf(client: AppServer): ServerOfApp {
    const { signal } = this.#ended;
    const until = { signal };
    const { tools, resources, prompts } = client.serverCapabilities;
    const watches = [
      tools && client.watchTools(() => this.#toolsChanged(), until),
      resources && client.watchList(() => this.#changed('resources'), until),
      prompts && client.watchPrompts(() => this.#changed('prompts'), until),
    ];
    // A server need not report changes.
    for (const watch of watches) watch?.ready.catch(() => undefined);
    return new ServerOfApp({
      client,
      signal,
      mayCall: async (call) => await this.#options.hooks?.mayCall?.(call),
      onupdate: (uri) => this.#notify('notifications/resources/updated', { uri }),
    });
  }

  /** Starts the transport; rejects as its `start` does. */
  async start(): Promise<void> {
    await this.#options.transport.start();
  }

  /** Whether the session has ended. */
  get isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Sets the complete arguments of the call that the app is shown for. Does nothing if they are the same. */
  setInput(args: Json): void {
    if (this.#input && isSame(this.#input['arguments'], args)) return;
    this.#input = { arguments: args };
    this.#notify('ui/notifications/tool-input', this.#input);
    this.#sendEnd();
  }

  /** Sets arguments that a model is still writing. Does nothing after {@link setInput}. */
  setPartialInput(args: Json): void {
    this.#partialInput = { arguments: args };
    if (!this.#input) this.#notify('ui/notifications/tool-input-partial', this.#partialInput);
  }

  /** Sets the result of the call. It is sent after the input, as the specification requires. */
  setResult(result: CallToolResult): void {
    this.#setEnd({ method: 'ui/notifications/tool-result', params: { ...result } });
  }

  /** Reports to the app that the call was cancelled. */
  setCancelled(reason: string): void {
    this.#setEnd({ method: 'ui/notifications/tool-cancelled', params: { reason } });
  }

  /** Changes members of the host context. Sends those that differ to the app. */
  setContext(changes: HostContext): void {
    this.#context = { ...this.#context, ...changes };
    this.#tellContext();
  }

  /** The tools that the app itself offers, at most 50, all on one page; for `toTools`. */
  async listTools({ signal }: Pick<PageOptions, 'signal'> = {}): Promise<ListToolsResult> {
    const tools: Tool[] = [];
    let cursor: string | undefined;
    if (!this.appCapabilities['tools']) return { tools };
    do {
      const result = await this.#ask('tools/list', cursor === undefined ? {} : { cursor }, signal);
      const page = checkResult('tools/list', result) as ListToolsResult;
      tools.push(...page.tools);
      cursor = page.tools.length > 0 ? page.nextCursor : undefined;
    } while (cursor !== undefined && tools.length < MAX_OWN_TOOLS);
    return { tools: tools.slice(0, MAX_OWN_TOOLS) };
  }

  /**
   * Calls a tool of the app itself, which has 30 s to answer.
   *
   * @throws {McpError} if the app rejects the call.
   * @throws {ClientError} `timeout`; `closed` after the end; `invalid-result`.
   */
  async callTool(
    name: string,
    args: Json = {},
    { signal }: CallOptions = {},
  ): Promise<CallToolResult> {
    const result = await this.#ask('tools/call', { name, arguments: args }, signal);
    return checkResult('tools/call', result) as CallToolResult;
  }

  /** Lets the app save its state, for at most 2 s, and ends the session. Never rejects. */
  teardown(): Promise<void> {
    return (this.#teardown ??= this.#tearDown());
  }

  async #tearDown(): Promise<void> {
    if (this.#isReady)
      await this.#ask('ui/resource-teardown', {}, undefined, TEARDOWN_MS).catch(() => undefined);
    this.end();
  }

  /** Ends the session at once: the pending requests of the app are cancelled. */
  end(): void {
    if (this.isEnded) return;
    this.#isReady = false;
    this.#ended.abort();
    for (const call of this.#calls.values()) call.abort();
    this.#server?.stop();
    this.#own.end();
    void this.#options.transport.close().catch(() => undefined);
  }

  /** Receives a message of the app, which may have any content. */
  #receive(message: unknown): void {
    if (this.isEnded || this.#isFlood()) return;
    const { jsonrpc, id, method, params, result, error } = Object(message) as Json;
    if (jsonrpc !== '2.0') return;
    const given = isRecord(params) ? params : {};
    if (typeof method !== 'string') this.#settle(id, result, error);
    else if (typeof id === 'string' || typeof id === 'number') void this.#answer(id, method, given);
    else this.#notified(method, given);
  }

  /**
   * Whether the app sends more messages than a page can handle: they would freeze it, regardless of their
   * content.
   */
  #isFlood(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#second.startMs > 1_000) this.#second = { startMs: nowMs, messages: 0 };
    this.#second.messages += 1;
    if (this.#second.messages <= MAX_MESSAGES_PER_SECOND) return false;
    this.end();
    this.#options.hooks?.flooded?.();
    return true;
  }

  #settle(id: unknown, result: unknown, error: unknown): void {
    const wait = this.#own.take(id);
    if (!wait) return;
    if (isRecord(error)) wait.reject(errorOfApp(error));
    else if (isRecord(result) && isModestJson(result)) wait.resolve(result);
    else wait.reject(new McpError(ERROR.internal, 'The app has sent an unusable answer.'));
  }

  #notified(method: string, params: Json): void {
    if (!isModestJson(params)) return;
    const { hooks = {} } = this.#options;
    if (method === 'ui/notifications/initialized') this.#start();
    else if (method === 'ui/notifications/size-changed') hooks.resize?.(sizeOf(params));
    else if (method === 'ui/notifications/request-teardown') hooks.close?.();
    else if (method === 'notifications/message') hooks.log?.(params);
    else if (method === 'notifications/cancelled') this.#cancel(params['requestId']);
  }

  /**
   * Cancels a request of the app. Its place is free at once, even if the call still waits for something that
   * cannot be cancelled.
   */
  #cancel(id: unknown): void {
    this.#calls.get(id)?.abort();
    this.#calls.delete(id);
  }

  async #answer(id: string | number, method: string, params: Json): Promise<void> {
    const call = new AbortController();
    let answer: object;
    try {
      if (this.#calls.has(id)) throw new McpError(ERROR.invalid, 'A request with this id is open.');
      if (this.#calls.size >= MAX_OPEN_CALLS)
        throw new McpError(ERROR.refused, `More than ${MAX_OPEN_CALLS} requests are open.`);
      this.#calls.set(id, call);
      const run = methodIn(this.#methods, method) ?? methodIn(this.#server?.methods, method);
      if (!run && !this.#server)
        throw new McpError(ERROR.refused, 'This app is shown without its server.');
      if (!run) throw new McpError(ERROR.noMethod, `Method not found: ${method.slice(0, 100)}`);
      if (!isModestJson(params)) throw new McpError(ERROR.params, 'The message is too large.');
      const token = isRecord(params['_meta']) ? params['_meta']['progressToken'] : undefined;
      const report = (progress: object): void => {
        if (token !== undefined)
          this.#notify('notifications/progress', { ...progress, progressToken: token });
      };
      answer = { result: (await run(params, { signal: call.signal, report })) ?? {} };
    } catch (error) {
      answer = { error: errorOf(error) };
    }
    if (this.#calls.get(id) === call) this.#calls.delete(id);
    if (!call.signal.aborted) this.#reply(id, answer);
  }

  /** Sends an answer. Something of the page that cannot be sent, such as a function, becomes an error. */
  #reply(id: string | number, answer: object): void {
    const message = { jsonrpc: '2.0', id, ...answer };
    const error = { code: ERROR.internal, message: 'Internal error' };
    this.#options.transport
      .send(message as never)
      .catch(() => this.#post({ jsonrpc: '2.0', id, error }));
  }

  /**
   * Starts the app. If its document starts again, as React does in its strict mode, the app gets everything
   * again.
   */
  #start(): void {
    this.#isReady = true;
    // It may have changed since the app asked for it.
    this.#tellContext();
    if (this.#input) this.#notify('ui/notifications/tool-input', this.#input);
    else if (this.#partialInput)
      this.#notify('ui/notifications/tool-input-partial', this.#partialInput);
    this.#sendEnd();
  }

  /** Sends the members of the context that the app does not know. */
  #tellContext(): void {
    if (!this.#isReady) return;
    const told = this.#told;
    const changed = Object.entries(this.#context).filter(([key, one]) => !isSame(one, told[key]));
    this.#told = this.#context;
    if (changed.length > 0)
      this.#notify('ui/notifications/host-context-changed', Object.fromEntries(changed));
  }

  #setEnd(end: { method: string; params: Json }): void {
    if (isSame(this.#end, end)) return;
    this.#end = end;
    this.#sendEnd();
  }

  #sendEnd(): void {
    if (this.#input && this.#end) this.#notify(this.#end.method, this.#end.params);
  }

  #toolsChanged(): void {
    this.#server?.forgetTools();
    this.#changed('tools');
  }

  #changed(list: string): void {
    this.#notify(`notifications/${list}/list_changed`, {});
  }

  #notify(method: string, params: Json): void {
    if (this.#isReady) this.#post({ jsonrpc: '2.0', method, params });
  }

  #post(message: Json): void {
    void this.#options.transport.send(message as never).catch(() => undefined);
  }

  #ask(method: string, params: Json, signal?: AbortSignal, timeoutMs = OWN_CALL_MS): Promise<Json> {
    const id = (this.#lastId += 1);
    return this.#own.wait<Json>(id, () => this.#post({ jsonrpc: '2.0', id, method, params }), {
      signal,
      timeoutMs,
      timeoutText: `The app did not answer ${method}`,
      ongiveup: () => this.#notify('notifications/cancelled', { requestId: id }),
    });
  }

  readonly #methods: Methods = {
    ping: () => ({}),
    'ui/initialize': ({ appInfo, appCapabilities }) => this.#initialize(appInfo, appCapabilities),
    'ui/open-link': ({ url }, { signal }) => this.#decide('openLink', webAddress(url), signal),
    'ui/download-file': ({ contents }, { signal }) =>
      this.#decide('downloadFile', blocksOf(contents), signal),
    'ui/message': ({ content }, { signal }) =>
      this.#decide('sendMessage', blocksOf(content), signal),
    'ui/update-model-context': async ({ content, structuredContent }) => {
      const context: ModelContext = {
        ...(content !== undefined && { content: blocksOf(content) }),
        ...(isRecord(structuredContent) && { structuredContent }),
      };
      await this.#hook('updateContext')(context);
    },
    'ui/request-display-mode': ({ mode }) => ({ mode: this.#displayMode(mode) }),
    'sampling/createMessage': (params, { signal }) => this.#hook('createMessage')(params, signal),
  };

  #initialize(info: unknown, capabilities: unknown): Json {
    this.#isReady = false;
    this.appCapabilities = isRecord(capabilities) ? capabilities : {};
    this.#options.hooks?.started?.({
      info: isRecord(info) ? (info as unknown as Implementation) : undefined,
      capabilities: this.appCapabilities,
    });
    this.#told = this.#context;
    return {
      protocolVersion: APPS_REVISION,
      hostInfo: this.#options.hostInfo ?? { name: 'inpage-mcp', version: '0.1.0' },
      hostCapabilities: hostCapabilities(this.#options),
      hostContext: this.#context,
    };
  }

  /** A hook of the page. Without the hook, the app gets the error of a missing method. */
  #hook<
    Name extends 'openLink' | 'downloadFile' | 'sendMessage' | 'updateContext' | 'createMessage',
  >(name: Name): NonNullable<NonNullable<AppSessionOptions['hooks']>[Name]> {
    const { hooks } = this.#options;
    const hook = hooks?.[name];
    if (!hook) throw new McpError(ERROR.noMethod, 'This host does not offer it.');
    return hook.bind(hooks) as NonNullable<typeof hook>;
  }

  async #decide(
    name: 'openLink' | 'downloadFile' | 'sendMessage',
    what: unknown,
    signal: AbortSignal,
  ): Promise<Json> {
    return (await this.#hook(name)(what as never, signal)) ? {} : { isError: true };
  }

  /**
   * The mode that the app has after its request: another one only if the app has declared it, and the page
   * offers it.
   */
  #displayMode(mode: unknown): string {
    const { displayMode = 'inline', availableDisplayModes: offered } = this.#context;
    const declared = this.appCapabilities['availableDisplayModes'];
    const isIn = (modes: unknown): boolean => Array.isArray(modes) && modes.includes(mode);
    if (!isIn(offered) || (declared !== undefined && !isIn(declared))) return displayMode as string;
    const next = this.#options.hooks?.setDisplayMode?.(mode as string) ?? (displayMode as string);
    this.setContext({ displayMode: next });
    return next;
  }
}

function methodIn(methods: Methods = {}, name: string): Methods[string] | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}
