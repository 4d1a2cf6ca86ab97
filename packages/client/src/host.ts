import type {
  ContentBlock,
  EmbeddedResource,
  Implementation,
  Params,
  ResourceLink,
  Result,
} from '@inpage-mcp/protocol/types';
import { ClientError } from './api/client-error.js';
import type { CallToolResult } from './api/tool-types.js';
import type { McpClient } from './interface/mcp-client.js';
import { PortClient } from './port-client.js';
import { checkResult } from './results/check-result.js';
import { object, text } from './results/checks.js';
import type { HostConnection } from './app/host-connection.js';
import { checkContext, type DisplayMode, type HostContext } from './app/host-context.js';

/** The content that the model shall know of an app, from its next turn on. */
export interface ModelContext {
  /** The content for the model. */
  content?: ContentBlock[] | undefined;
  /** The content for programs. */
  structuredContent?: { [name: string]: unknown } | undefined;
}

/** The arguments of the call that shows the app. */
export interface AppInput {
  /** The arguments, unchecked: a host need not validate them with the schema of the tool. */
  arguments: { [name: string]: unknown };
  /** Whether these are all arguments. While the model writes, there may be parts of them. */
  isComplete: boolean;
}

/** The severity of a log message, from the least to the most severe (Utilities › Logging). */
export type LogLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/**
 * The host that shows this app. The values that it has sent stay here, so a listener cannot be too late; the
 * event of the same name reports that a value is new:
 *
 * - `partialinput` and `input` for {@link input}
 * - `result` for {@link result}
 * - `cancelled` for {@link cancelled}
 * - `context` for {@link context}
 *
 * Methods with which the app requests something from the host reject with a {@link ClientError}:
 * `unsupported` if the host does not offer it, `refused` if it refuses, `timeout` after 10 minutes, because a
 * host may ask its user, and `closed`. They reject with an `McpError` if the host rejects the request.
 */
export class Host extends EventTarget {
  /** The server of the app, as far as the host passes requests on to it. Closed after the teardown. */
  readonly client: McpClient;
  /** The name and version of the host. */
  readonly info: Implementation | undefined;
  /** The features that the host offers, `hostCapabilities` of MCP Apps. Unchecked. */
  readonly capabilities: { readonly [name: string]: unknown };
  readonly #connection: HostConnection;
  #context: HostContext;
  #input: AppInput | undefined;
  #result: CallToolResult | undefined;
  #cancelled: { reason?: string | undefined } | undefined;

  /** @param answer The answer of the host to `ui/initialize`. */
  constructor(connection: HostConnection, { hostInfo, hostCapabilities, hostContext }: Result) {
    super();
    this.info = object(hostInfo) as Implementation | undefined;
    this.capabilities = (object(hostCapabilities) ?? {}) as Params;
    this.#context = checkContext(hostContext);
    this.#connection = connection;
    connection.discover(this.capabilities);
    // The host does not report the revision of MCP that its server speaks.
    this.client = new PortClient(connection, connection, 'unknown');
    connection.transport.onhostnotification = (name, params) => this.#receive(name, params);
  }

  /** The current theme, language, size and more. */
  get context(): HostContext {
    return this.#context;
  }

  /** The arguments of the call that shows the app. `undefined` until the host has sent some. */
  get input(): AppInput | undefined {
    return this.#input;
  }

  /** The result of the call that shows the app. `undefined` until the host has sent it. */
  get result(): CallToolResult | undefined {
    return this.#result;
  }

  /** The cancellation of the call that shows the app, if it was cancelled: no {@link result} will come. */
  get cancelled(): { readonly reason?: string | undefined } | undefined {
    return this.#cancelled;
  }

  /**
   * The result for programs: `structuredContent`, or the JSON in the first text where the host has
   * dropped that. `undefined` without a result, or if neither is there.
   */
  data(): unknown {
    const { structuredContent, content = [] } = this.#result ?? {};
    if (structuredContent !== undefined) return structuredContent;
    const first = content.find((block) => block.type === 'text') as { text: string } | undefined;
    return first && parseJson(first.text);
  }

  /** Opens an address in the browser of the user, because the frame of an app may not do this. */
  async openLink(url: string): Promise<void> {
    await this.#ask('openLinks', 'ui/open-link', { url });
  }

  /** Adds a message to the conversation, in the name of the user. The model may answer. */
  async sendMessage(message: string | ContentBlock[]): Promise<void> {
    const content = typeof message === 'string' ? [{ type: 'text', text: message }] : message;
    await this.#ask('message', 'ui/message', { role: 'user', content });
  }

  /**
   * Sets the content that the model shall know of the app from its next turn on. It replaces the previous
   * one.
   */
  async updateContext({ content, structuredContent }: ModelContext): Promise<void> {
    const params = { ...(content && { content }), ...(structuredContent && { structuredContent }) };
    await this.#ask('updateModelContext', 'ui/update-model-context', params);
  }

  /** Gives files to the user; the frame of an app cannot. */
  async downloadFile(...contents: (EmbeddedResource | ResourceLink)[]): Promise<void> {
    await this.#ask('downloadFile', 'ui/download-file', { contents });
  }

  /**
   * Requests another way of showing the app, one of the `displayModes` of the app.
   *
   * @returns The way in which the app is shown now, which may be another one.
   */
  async requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    const { availableDisplayModes } = this.#context;
    if (availableDisplayModes?.includes(mode) === false) throw unsupported(mode);
    const result = await this.#request('ui/request-display-mode', { mode });
    const { displayMode } = checkContext({ displayMode: result['mode'] });
    if (displayMode) return displayMode;
    throw new ClientError('invalid-result', 'The host does not say how it shows the app.');
  }

  /** Writes to the log of the host; does nothing if the host has no log. */
  log(level: LogLevel, data: unknown): void {
    if (this.capabilities['logging'] && !this.#connection.isClosed)
      this.#connection.transport.notify('notifications/message', { level, data });
  }

  /** Asks the host to end the app. If it agrees, it lets the app save first (`onteardown`). */
  requestTeardown(): void {
    this.#connection.transport.notify('ui/notifications/request-teardown', {});
  }

  async #ask(capability: string, method: string, params: Params): Promise<void> {
    if (!object(this.capabilities[capability])) throw unsupported(capability);
    await this.#request(method, params);
  }

  async #request(method: string, params: Params): Promise<Result> {
    const result = await this.#connection.request(method, params);
    if (result['isError'] === true)
      throw new ClientError('refused', `The host refuses ${method}.`, { cause: result });
    return result;
  }

  #receive(name: string, params: Params): void {
    if (name === 'tool-input') this.#setInput('input', params);
    else if (name === 'tool-input-partial' && !this.#input?.isComplete)
      this.#setInput('partialinput', params);
    else if (name === 'tool-result') this.#setResult(params);
    else if (name === 'tool-cancelled') {
      this.#cancelled = { reason: text(params['reason']) as string | undefined };
      this.#fire('cancelled');
    } else if (name === 'host-context-changed') {
      this.#context = { ...this.#context, ...checkContext(params) };
      this.#fire('context');
    }
  }

  #setInput(type: 'input' | 'partialinput', params: Params): void {
    const args = (object(params['arguments']) ?? {}) as Params;
    this.#input = { arguments: args, isComplete: type === 'input' };
    this.#fire(type);
  }

  #setResult(params: Params): void {
    try {
      this.#result = checkResult('tools/call', { content: [], ...params }) as CallToolResult;
    } catch {
      return;
    }
    this.#fire('result');
  }

  #fire(type: string): void {
    this.dispatchEvent(new Event(type));
  }
}

function unsupported(what: string): ClientError {
  return new ClientError('unsupported', `The host does not offer ${what}.`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
