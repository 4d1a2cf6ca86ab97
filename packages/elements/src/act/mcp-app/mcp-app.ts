import type {
  CallToolResult,
  ContentBlock,
  ListToolsResult,
  McpClient,
  PageOptions,
  Resource,
} from '@inpage-mcp/client';
import type { AppCall, AppHooks, AppSession } from '@inpage-mcp/client/app-host';
import { msg } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { confirmationStyles } from '../../base/element/confirmation.js';
import { McpElement } from '../../base/element/mcp-element.js';
import { loadPart } from '../../base/look/load-part.js';
import { renderConnection, renderError, renderLoading } from '../../base/look/messages.js';
import { theme } from '../../base/look/theme.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { blockStyles } from '../../show/blocks/content-blocks.js';
import type { WireRecorder } from '../../watch/mcp-wire/wire-recorder.js';
import { McpToolResourceEvent } from '../mcp-tool-form/events.js';
import { Outcome } from '../mcp-tool-form/outcome.js';
import { AppConsent } from './app-consent.js';
import { AppQuestions } from './app-questions.js';
import { McpAppCloseEvent, McpAppErrorEvent, McpAppLogEvent, McpAppReadyEvent } from './events.js';
import { DisplayMode, type AppDisplayMode } from './display-mode.js';
import { pageContext, watchPage } from './host-context.js';
import { styles } from './mcp-app.styles.js';
import { renderBar } from './render-bar.js';
import type { AppFailure, KeptApp, RunningApp, RunningAppOptions } from './running-app.js';

const MODES: readonly AppDisplayMode[] = ['inline', 'fullscreen', 'pip'];

const STATES = ['loading', 'ready', 'failed', 'closed', 'collapsed', 'asking'] as const;

/**
 * The minimum by which a frame shrinks. A smaller change is ignored, because an app that rounds its size
 * would shrink forever.
 */
const MIN_SHRINK = 4;

/**
 * The app of a tool, or of a `ui://` resource, of any MCP server (MCP Apps): a page of the server in a
 * sandboxed frame, which reaches nothing but its server, and that only as far as the user and the page
 * permit. Beside it stand whose app it is and what it may reach, and one key away the same result as text.
 *
 * Takes its client from `<mcp-provider>` or from its `client` property.
 *
 * @element mcp-app
 * @fires mcp-app-ready - The app has started.
 * @fires mcp-app-link - The user has agreed to open an address; cancel it to do that yourself.
 * @fires mcp-app-download - The user has agreed to save files; cancel it to do that yourself.
 * @fires mcp-app-close - The app was closed.
 * @fires mcp-app-log - A line of the app's log.
 * @fires mcp-app-error - The app is not shown, or no longer.
 * @fires mcp-tool-resource - The user chose a link to a resource in the result as text.
 * @csspart app - The app with its bar.
 * @csspart bar - The line above the app: its name, its server and the buttons.
 * @csspart frame - The box of the app's frame.
 * @csspart question - A question to the user about what the app wants.
 * @csspart result - The result as text.
 * @cssstate loading - The app is being read, or has not started yet.
 * @cssstate ready - The app has started.
 * @cssstate failed - The app is not shown; the element says why.
 * @cssstate closed - The app was closed.
 * @cssstate collapsed - Only the bar is shown.
 * @cssstate asking - The user is asked something.
 */
export class McpApp extends McpElement {
  static override readonly styles = [theme, confirmationStyles, blockStyles, styles];

  static override readonly properties = {
    tool: {},
    uri: {},
    call: { type: Boolean },
    arguments: { attribute: false },
    partialArguments: { attribute: false },
    result: { attribute: false },
    cancelled: { attribute: false },
    kept: { attribute: false },
    connect: { attribute: false },
    displayMode: { attribute: 'display-mode', reflect: true },
    displayModes: { attribute: false },
    frameUrl: { attribute: 'frame-url' },
    ownOrigin: { attribute: 'own-origin', type: Boolean },
    allowEval: { attribute: 'allow-eval', type: Boolean },
    permissions: { attribute: false },
    acceptSource: { attribute: false },
    maxHeight: { attribute: 'max-height', type: Number },
    hostContext: { attribute: false },
    recorder: { attribute: false },
    mayCall: { attribute: false },
    sendMessage: { attribute: false },
    updateContext: { attribute: false },
    createMessage: { attribute: false },
  };

  /** The address of `mcp-app-frame.htm` for all elements that have none of their own. */
  static frameUrl: string | undefined;

  /** The tool whose app is shown. Default: none. */
  declare tool: string | undefined;
  /** The `ui://` resource of the app. Default: that of the tool. */
  declare uri: string | undefined;
  /**
   * Whether the element calls the tool itself, with `arguments`, once the app has started. It first asks the
   * user if the tool is not read-only. Default: false; the page calls the tool and sets `result`.
   */
  declare call: boolean;
  /** The complete arguments of the call. Default: none yet. */
  declare arguments: Readonly<Record<string, unknown>> | undefined;
  /** The arguments that a model is still writing. Default: none. */
  declare partialArguments: Readonly<Record<string, unknown>> | undefined;
  /** The result of the call. Default: none yet. */
  declare result: CallToolResult | undefined;
  /** The reason why the call was cancelled. Default: it was not. */
  declare cancelled: string | undefined;
  /**
   * The result of {@link keep}: shows that app and its result again, without calling anything. Without a
   * client, the app has no server, so that its requests to the server are refused.
   */
  declare kept: KeptApp | undefined;
  /**
   * Opens a connection only for the app, with the access that the app may have; the element closes it with
   * the app. Called when an app starts. Setting another function does not end a running app. Default: the app
   * uses the client of the element.
   */
  declare connect: (() => Promise<McpClient>) | undefined;
  /** The mode in which the app is shown. Default: `inline`. */
  declare displayMode: AppDisplayMode;
  /** The modes in which the app may be shown. Default: all three. */
  declare displayModes: readonly AppDisplayMode[];
  /**
   * The address of `mcp-app-frame.htm`. Default: `McpApp.frameUrl`, else the file of `@inpage-mcp/client`,
   * which most bundlers find.
   */
  declare frameUrl: string | undefined;
  /**
   * Whether the app has the origin of `frameUrl`, which must not be that of the page. Default: false, its
   * origin is opaque.
   */
  declare ownOrigin: boolean;
  /** Whether apps may compile code from texts (`eval`). Default: false. */
  declare allowEval: boolean;
  /**
   * The permissions of the device that apps may use if they declare them: `camera`, `microphone`,
   * `geolocation`, `clipboardWrite`. Default: none.
   */
  declare permissions: readonly string[];
  /**
   * Whether an app may load from a source that it declares, such as `https://example.org`. Default: the
   * user is asked.
   */
  declare acceptSource: ((source: string) => boolean) | undefined;
  /**
   * The maximum height of an inline app, in CSS pixels; it scrolls inside. Default: 800, or less in a low
   * window, so that it leaves room for its bar and for some of the page.
   */
  declare maxHeight: number | undefined;
  /** Further members of the host context, which override those of the element. Default: none. */
  declare hostContext: Readonly<Record<string, unknown>> | undefined;
  /** Records the messages of the app and the page, for `<mcp-wire>`. Default: nothing is recorded. */
  declare recorder: Pick<WireRecorder, 'wrap'> | undefined;
  /**
   * Decides whether the app may make a call. Default: calls of read-only tools are allowed, and others if the
   * user agrees, who sees the exact arguments.
   */
  declare mayCall: ((call: AppCall) => boolean | Promise<boolean>) | undefined;
  /** Adds a message of the user to a conversation. Default: the app gets the error of a missing method. */
  declare sendMessage: ((content: ContentBlock[]) => boolean | Promise<boolean>) | undefined;
  /**
   * Keeps the context of the app for the next turn of a model. Default: the app gets the error of a missing
   * method.
   */
  declare updateContext: AppHooks['updateContext'] | undefined;
  /** Asks the page's model. Default: the app gets the error of a missing method. */
  declare createMessage: AppHooks['createMessage'] | undefined;

  readonly #questions = new AppQuestions(this, () => this.#running?.focus());
  readonly #mode = new DisplayMode(this);
  readonly #consent = new AppConsent(this, this.#questions, () => this.#title);
  #found: KeptApp | undefined;
  #running: RunningApp | undefined;
  #run = new AbortController();
  #state: 'loading' | 'ready' | 'failed' | 'closed' = 'loading';
  #error: unknown;
  #appName = '';
  #sources: readonly string[] = [];
  #isText = false;
  /** The height that the app wants inline, in CSS pixels. It may reach that height slowly. */
  #height = 0;
  /** Whether the app has sent no message for a while. */
  #isSilent = false;
  #isCollapsed = false;
  #outcome: Outcome | undefined;
  /** The inputs with which the app was started; absent if it is to start. */
  #source: readonly unknown[] | undefined;
  /** The result of a call that the element has made itself, with the inputs of that call. */
  #called: { key: readonly unknown[]; result?: CallToolResult; cancelled?: string } | undefined;
  /** The app that is being closed. */
  #closing: RunningApp | undefined;
  #stopWatching: (() => void) | undefined;
  readonly #stage = document.createElement('div');
  readonly #sizes = new ResizeObserver(() => this.#tellContext());

  constructor() {
    super();
    this.call = this.ownOrigin = this.allowEval = false;
    this.displayMode = 'inline';
    this.displayModes = MODES;
    this.permissions = [];
    this.#stage.classList.add('frame');
    this.#stage.part.add('frame');
  }

  /** The tools that the app itself offers, at most 50; with `callTool`, an argument of `toTools`. */
  async listTools(options?: PageOptions): Promise<ListToolsResult> {
    return (await this.#running?.session.listTools(options)) ?? { tools: [] };
  }

  /**
   * Calls a tool of the app itself. Ask the user first, unless the tool is read-only.
   *
   * @throws {Error} if no app is shown, and as `AppSession.callTool` does.
   */
  async callTool(...call: Parameters<AppSession['callTool']>): Promise<CallToolResult> {
    if (!this.#running) throw new Error('No app is shown.');
    return await this.#running.session.callTool(...call);
  }

  /**
   * The shown app and its call, to be stored as JSON and shown again by `kept`; `undefined` before the app is
   * shown.
   */
  keep(): KeptApp | undefined {
    const { arguments: args, result } = this;
    return (
      this.#found && { ...this.#found, ...(args && { arguments: args }), ...(result && { result }) }
    );
  }

  /**
   * Closes the app, which has at most 2 s to save its data. Await this before you remove the element: a frame
   * that is removed can save nothing.
   */
  async teardown(): Promise<void> {
    const running = this.#running;
    await running?.teardown();
    // The element may in the meantime have another app, or none.
    if (this.#running === running) this.#stop('closed');
  }

  /** Shows the app again after it was closed or has failed. */
  reload(): void {
    this.#source = undefined;
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopWatching = watchPage(() => this.#tellContext());
    this.#sizes.observe(this.#stage);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching?.();
    this.#sizes.disconnect();
    this.#stop('loading');
    this.displayMode = 'inline';
    this.#source = undefined;
  }

  /** Does nothing: with `moveBefore` the frame keeps its app. */
  connectedMoveCallback(): void {}

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { client } = this.connection;
    const key = this.#key(client);
    const isSame = this.#source?.every((part, index) => part === key[index]);
    // An element that was just removed is updated once more: it must not start its app again.
    if (this.isConnected && !isSame) {
      this.#source = key;
      this.#stop('loading');
      this.#forgetCall();
      if (this.#hasSource && (client || this.kept)) void this.#start(client);
    } else this.#forward(changed);
    if (changed.has('maxHeight'))
      this.#stage.style.setProperty('--_max-height', this.maxHeight ? `${this.maxHeight}px` : '');
    if (changed.has('result') || changed.has('kept'))
      this.#showResult(this.result ?? this.kept?.result);
    for (const state of STATES)
      this.setState(
        state,
        state === 'collapsed'
          ? this.#isCollapsed
          : state === 'asking'
            ? this.#questions.isAsking
            : this.#state === state,
      );
  }

  get #hasSource(): boolean {
    return Boolean(this.tool || this.uri || this.kept);
  }

  #key(client: McpClient | undefined): unknown[] {
    const { tool, uri, kept, frameUrl, ownOrigin, allowEval, connect } = this;
    return [client, tool, uri, kept, frameUrl, ownOrigin, allowEval, connect !== undefined];
  }

  /**
   * Drops the result of a call if another app is shown, and a refusal in any case, because it is only for the
   * time for which the app is shown.
   */
  #forgetCall(): void {
    const called = this.#called;
    if (!called) return;
    if (this.cancelled === called.cancelled) this.cancelled = undefined;
    const isOther = this.#callKey().some((part, index) => part !== called.key[index]);
    if (isOther && this.result === called.result) this.result = undefined;
  }

  #callKey(): readonly unknown[] {
    return [this.connection.client, this.tool, this.uri, this.kept];
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#mode.show();
    if (changed.has('hostContext') || changed.has('displayMode') || changed.has('maxHeight'))
      this.#tellContext();
    if (changed.has('displayMode') && changed.get('displayMode') !== undefined)
      this.renderRoot.querySelector<HTMLElement>('.mode')?.focus();
  }

  protected override render(): TemplateResult {
    const { client, state } = this.connection;
    if (!client && !this.kept)
      return html`<div class="message">
        ${msg('There is no connection to a server.', { id: 'mcp.tool-form.no-client' })}
      </div>`;
    if (!this.#hasSource) return html``;
    return html`${renderConnection(state)}
      <div class="place">
        <section
          class="app ${this.displayMode}"
          part="app"
          aria-labelledby="title"
          slot=${this.displayMode === 'fullscreen' ? 'modal' : nothing}
          popover=${this.displayMode === 'pip' ? 'manual' : nothing}
          @keydown=${this.#onkeydown}
        >
          ${this.#renderBar()} ${this.#questions.render()} ${this.#renderState()}
          <div
            class=${this.#isText || this.#isCollapsed || this.#state === 'closed' || this.#state === 'failed' ? 'away' : 'stage'}
          >
            ${this.#stage}
          </div>
          ${this.#isText && !this.#isCollapsed ? this.#outcome?.render(false) : nothing}
          <p class="visually-hidden" role="status">${this.#statusText()}</p>
        </section>
      </div>`;
  }

  #renderBar(): TemplateResult {
    const isRunning = this.#state === 'loading' || this.#state === 'ready';
    const { client } = this.connection;
    return renderBar({
      title: this.#title,
      server: client ? client.serverInfo : this.kept?.server,
      hasServer: Boolean(client ?? this.connect),
      sources: this.#running && this.#sources,
      mode: this.displayMode,
      onmode:
        isRunning && (this.displayMode !== 'inline' || this.#mayShow('fullscreen'))
          ? (mode) => this.#mode.setByUser(mode)
          : undefined,
      isText: this.#isText,
      ontext: this.#outcome && (() => this.#toggleText()),
      isCollapsed: this.#isCollapsed,
      oncollapse: () => this.#collapse(),
      onclose: isRunning ? () => void this.#close() : undefined,
    });
  }

  #renderState(): TemplateResult | typeof nothing {
    if (this.#isCollapsed) return nothing;
    if (this.#isSilent && this.#state === 'loading')
      return html`<p class="remark" role="status">
        ${msg('The app does not answer.', { id: 'mcp.app.silent' })}
      </p>`;
    if (this.#state === 'loading' && !this.#questions.isAsking) return renderLoading(4);
    const again = msg('Show it again', { id: 'mcp.app.again' });
    if (this.#state === 'closed')
      return html`<div class="message">
        <p>${msg('The app is closed.', { id: 'mcp.app.closed' })}</p>
        <button type="button" @click=${() => this.reload()}>${again}</button>
      </div>`;
    if (this.#state === 'failed') return renderError(this.#error, () => this.reload());
    return nothing;
  }

  get #title(): string {
    const { tool, app } = this.#found ?? {};
    const name = tool?.title ?? tool?.annotations?.title ?? tool?.name ?? this.#appName;
    return truncateText(name || this.tool || app?.uri || this.uri || '', 100);
  }

  #statusText(): string {
    if (this.#questions.isAsking) return this.#questions.title;
    if (this.#state === 'ready') return msg('The app is ready.', { id: 'mcp.app.ready' });
    return this.#state === 'closed' ? msg('The app is closed.', { id: 'mcp.app.closed' }) : '';
  }

  /** @param provided The client; absent only for an app that was kept. */
  async #start(provided: McpClient | undefined): Promise<void> {
    const run = new AbortController();
    const { signal } = run;
    this.#run = run;
    try {
      // This loads all code that communicates with an app, which a page without apps does not need.
      const part = await loadPart(() => import('./running-app.js'));
      const own = await this.connect?.();
      if (own) signal.addEventListener('abort', () => void own.close());
      // The element may have been removed, or shows another app, by now.
      if (signal.aborted) return void own?.close();
      const client = own ?? provided;
      const found = this.kept ?? (await part.findApp(client!, this, signal));
      this.#found = found;
      const declared = part.declaredSources(found.app);
      this.#sources = await this.#consent.acceptedSources(declared, signal);
      await this.updateComplete;
      if (signal.aborted) return;
      const running = new part.RunningApp(this.#optionsOf(found, client, signal));
      this.#running = running;
      signal.addEventListener('abort', () => running.end());
      await running.show(this.#stage);
      await this.#tellCall(running.session, found, client, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { problem, name } = Object(error) as { problem?: AppFailure['problem']; name?: string };
      this.#fail(problem ?? (name === 'AppFrameError' ? 'frame' : 'failed'), error);
    }
  }

  #optionsOf(
    { app }: KeptApp,
    client: McpClient | undefined,
    signal: AbortSignal,
  ): RunningAppOptions {
    return {
      client,
      app,
      title: this.#title,
      sources: this.#sources,
      permissions: this.permissions,
      frameUrl: this.frameUrl ?? McpApp.frameUrl,
      hasOwnOrigin: this.ownOrigin,
      allowEval: this.allowEval,
      context: this.#context(),
      hooks: this.#hooks(signal),
      record: this.recorder && ((transport) => this.recorder!.wrap(transport)),
      onfailure: (failure) => {
        if (signal.aborted) return;
        if (failure.problem === 'no-answer') {
          this.#isSilent = true;
          this.requestUpdate();
          this.dispatchEvent(new McpAppErrorEvent(failure.problem, failure));
        } else this.#fail(failure.problem, failure);
      },
    };
  }

  /** Passes the call for which the app is shown to the app, or makes that call. */
  async #tellCall(
    session: AppSession,
    found: KeptApp,
    client: McpClient | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = this.kept;
    const input =
      this.arguments ??
      kept?.arguments ??
      (this.call || this.result || kept?.result ? {} : undefined);
    if (this.partialArguments) session.setPartialInput({ ...this.partialArguments });
    if (input) session.setInput({ ...input });
    const result = this.result ?? kept?.result;
    if (result) session.setResult(result);
    else if (this.cancelled) session.setCancelled(this.cancelled);
    else if (this.call && client && found.tool) await this.#callTool(client, found, signal);
  }

  async #callTool(client: McpClient, { tool }: KeptApp, signal: AbortSignal): Promise<void> {
    const args = { ...this.arguments };
    const may = await this.#consent.permits({ tool: tool!, arguments: args, signal }, true);
    if (signal.aborted) return;
    const key = this.#callKey();
    if (!may) {
      this.cancelled = msg('You have cancelled the call.', { id: 'mcp.tool-form.cancelled' });
      this.#called = { key, cancelled: this.cancelled };
      return;
    }
    try {
      const result = await client.callTool(tool!.name, args, { signal, timeoutMs: 600_000 });
      if (signal.aborted) return;
      this.result = result;
      this.#called = { key, result };
    } catch (error) {
      if (signal.aborted) return;
      this.#running?.session.setCancelled((error as Error).message);
      this.#showEnd({ error, isCancelled: false });
      // The app need not show the error, so it is shown as text, too.
      this.#isText = true;
      this.dispatchEvent(new McpAppErrorEvent('failed', error));
    }
  }

  #hooks(signal: AbortSignal): AppHooks {
    const { sendMessage, updateContext, createMessage } = this;
    return {
      mayCall: (call) => this.#consent.permits(call),
      openLink: (url, request) =>
        this.#consent.openLink(url.href, AbortSignal.any([signal, request])),
      downloadFile: (contents, request) =>
        this.#consent.download(contents, AbortSignal.any([signal, request])),
      // The offered features stay as they were at the start, but the functions may be new with each render of
      // the page.
      ...(sendMessage && { sendMessage: (content) => (this.sendMessage ?? sendMessage)(content) }),
      ...(updateContext && {
        updateContext: (context) => (this.updateContext ?? updateContext)(context),
      }),
      ...(createMessage && {
        createMessage: (params, until) => (this.createMessage ?? createMessage)(params, until),
      }),
      setDisplayMode: (mode) => this.#mode.setByApp(mode as AppDisplayMode),
      resize: (size) => this.#resize(size),
      log: (entry) => void this.dispatchEvent(new McpAppLogEvent(entry)),
      close: () => void this.#close(),
      started: ({ info }) => {
        this.#appName = truncateText(info?.title ?? info?.name ?? '', 100);
        this.#state = 'ready';
        this.requestUpdate();
        this.dispatchEvent(new McpAppReadyEvent(this.#appName));
      },
    };
  }

  #forward(changed: PropertyValues<this>): void {
    const session = this.#running?.session;
    if (!session) return;
    if (changed.has('partialArguments') && this.partialArguments && !this.arguments)
      session.setPartialInput({ ...this.partialArguments });
    if (changed.has('arguments') && this.arguments) session.setInput({ ...this.arguments });
    if (changed.has('result') && this.result) session.setResult(this.result);
    if (changed.has('cancelled') && this.cancelled) session.setCancelled(this.cancelled);
  }

  #context(): Record<string, unknown> {
    const isInline = this.displayMode === 'inline';
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const maxHeight = parseFloat(getComputedStyle(this.#stage).maxBlockSize);
    return {
      ...pageContext(this),
      displayMode: this.displayMode,
      availableDisplayModes: [...this.displayModes],
      containerDimensions: isInline ? { width, maxHeight } : { width, height },
      ...(this.#found?.tool && { toolInfo: { tool: this.#found.tool } }),
      ...this.hostContext,
    };
  }

  #tellContext(): void {
    this.#running?.session.setContext(this.#context());
  }

  #mayShow(mode: AppDisplayMode): boolean {
    const declared = this.#running?.session.appCapabilities['availableDisplayModes'];
    return this.displayModes.includes(mode) && Array.isArray(declared) && declared.includes(mode);
  }

  #resize({ height }: { height?: number }): void {
    if (height === undefined) return;
    if (height < this.#height && this.#height - height <= MIN_SHRINK) return;
    this.#height = height;
    this.#stage.style.setProperty('--_height', `${height}px`);
  }

  #showResult(result: CallToolResult | undefined): void {
    this.#showEnd(result && { result });
  }

  #showEnd(end: ConstructorParameters<typeof Outcome>[1] | undefined): void {
    this.#outcome?.dispose();
    const actions = {
      update: (): void => this.requestUpdate(),
      open: (resource: Resource) => void this.dispatchEvent(new McpToolResourceEvent(resource)),
    };
    this.#outcome = end && new Outcome(actions, end);
    if (!end) this.#isText = false;
    this.requestUpdate();
  }

  #toggleText(): void {
    this.#isText = !this.#isText;
    this.#isCollapsed = false;
    this.requestUpdate();
  }

  #collapse(): void {
    this.#isCollapsed = !this.#isCollapsed;
    this.requestUpdate();
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running && running === this.#closing) return;
    this.#closing = running;
    await this.teardown();
    if (this.#state === 'closed') this.dispatchEvent(new McpAppCloseEvent());
  }

  #fail(problem: AppFailure['problem'], error: unknown): void {
    this.#stop('failed');
    this.#error = error;
    // The text has the same content without the app.
    this.#isText = this.#outcome !== undefined;
    this.dispatchEvent(new McpAppErrorEvent(problem, error));
  }

  #stop(state: 'loading' | 'failed' | 'closed'): void {
    this.#run.abort();
    // Before an app has started, the mode is the page's wish.
    if (this.#running || state !== 'loading') this.displayMode = 'inline';
    this.#running?.end();
    this.#running = this.#closing = undefined;
    this.#mode.forget();
    this.#consent.forget();
    this.#stage.replaceChildren();
    this.#stage.style.removeProperty('--_height');
    this.#height = 0;
    this.#isSilent = false;
    this.#state = state;
    this.requestUpdate();
  }

  readonly #onkeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.displayMode === 'inline') return;
    event.preventDefault();
    this.#mode.setByUser('inline');
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'mcp-app': McpApp;
  }
}
