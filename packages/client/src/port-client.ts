import { RANGE_META_KEY } from './api/binary-extension.js';
import { checkResult, checkResultPart } from './results/check-result.js';
import { eachPage } from './results/each-page.js';
import type { McpClient } from './interface/mcp-client.js';
import type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  PromptReference,
  ResourceTemplateReference,
} from './api/prompt-types.js';
import {
  META,
  PROTOCOL_VERSION,
  type ListPage,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type ServerCapabilities,
} from './api/protocol-types.js';
import type { Implementation, Params, Resource } from '@inpage-mcp/protocol/types';
import type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  WatchOptions,
} from './api/request-options.js';
import type { ClientState } from './connection/client-state.js';
import type { ClientConnection } from './connection/client-connection.js';
import { Subscriptions, type Watch, type WatchListener } from './subscriptions/subscriptions.js';
import type { CallToolResult, ListToolsResult } from './api/tool-types.js';
import { PROMPT_LIST, RESOURCE_LIST, TOOL_LIST } from './subscriptions/topics.js';

/** The client of a connection: each method sends one request, and is named after the protocol's method. */
export class PortClient implements McpClient {
  readonly protocolVersion: string;
  readonly #connection: ClientConnection;
  readonly #calls: Pick<ClientConnection, 'request'>;
  readonly #subscriptions: Subscriptions;

  /** @param calls Sends requests that the server may answer with questions to the user. */
  constructor(
    connection: ClientConnection,
    calls: Pick<ClientConnection, 'request'>,
    protocolVersion: string = PROTOCOL_VERSION,
  ) {
    this.protocolVersion = protocolVersion;
    this.#connection = connection;
    this.#calls = calls;
    this.#subscriptions = new Subscriptions(connection);
  }

  get serverInfo(): Implementation | undefined {
    return this.#connection.discovered._meta?.[META.serverInfo] as Implementation | undefined;
  }

  get serverCapabilities(): ServerCapabilities {
    return this.#connection.discovered.capabilities ?? {};
  }

  get state(): ClientState {
    return this.#connection.state;
  }

  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  listResources(options?: PageOptions): Promise<ListResourcesResult> {
    return this.#page<ListResourcesResult>('resources/list', options);
  }

  async *resources(options: RequestOptions = {}): AsyncIterableIterator<Resource[]> {
    for await (const { resources } of eachPage((cursor) =>
      this.listResources({ ...options, cursor }),
    ))
      yield resources;
  }

  listResourceTemplates(options?: PageOptions): Promise<ListResourceTemplatesResult> {
    return this.#page<ListResourceTemplatesResult>('resources/templates/list', options);
  }

  readResource(uri: string, { range, ...options }: ReadOptions = {}): Promise<ReadResourceResult> {
    const params = range ? { uri, _meta: { [RANGE_META_KEY]: range } } : { uri };
    return this.#call<ReadResourceResult>('resources/read', params, options);
  }

  listTools(options?: PageOptions): Promise<ListToolsResult> {
    return this.#page<ListToolsResult>('tools/list', options);
  }

  callTool(
    name: string,
    args: { [name: string]: unknown } = {},
    options?: CallOptions,
  ): Promise<CallToolResult> {
    const params = { name, arguments: args };
    return this.#call<CallToolResult>('tools/call', params, options);
  }

  listPrompts(options?: PageOptions): Promise<ListPromptsResult> {
    return this.#page<ListPromptsResult>('prompts/list', options);
  }

  getPrompt(
    name: string,
    args: { [name: string]: string } = {},
    options?: CallOptions,
  ): Promise<GetPromptResult> {
    const params = { name, arguments: args };
    return this.#call<GetPromptResult>('prompts/get', params, options);
  }

  async complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompleteArgument,
    { context, ...limits }: CompleteOptions = {},
  ): Promise<CompleteResult['completion']> {
    const method = 'completion/complete';
    const params = { ref, argument, ...(context && { context: { arguments: context } }) };
    const result = await this.#connection.request(method, params, limits);
    return checkResultPart(method, result, 'completion') as CompleteResult['completion'];
  }

  watch(uri: string, listener: WatchListener, options?: WatchOptions): Watch {
    return this.#subscriptions.watch(uri, (meta) => listener(uri, meta), options?.signal);
  }

  watchList(listener: () => void, options?: WatchOptions): Watch {
    return this.#subscriptions.watch(RESOURCE_LIST, () => listener(), options?.signal);
  }

  watchTools(listener: () => void, options?: WatchOptions): Watch {
    return this.#subscriptions.watch(TOOL_LIST, () => listener(), options?.signal);
  }

  watchPrompts(listener: () => void, options?: WatchOptions): Watch {
    return this.#subscriptions.watch(PROMPT_LIST, () => listener(), options?.signal);
  }

  watchState(listener: (state: ClientState) => void, options?: WatchOptions): void {
    this.#connection.stateListeners.add(listener, options?.signal);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #page<Page extends ListPage>(
    method: string,
    { cursor, ...limits }: PageOptions = {},
  ): Promise<Page> {
    const params = cursor === undefined ? {} : { cursor };
    return checkResult(method, await this.#connection.request(method, params, limits)) as Page;
  }

  /** A request that the server may answer with questions to the user. */
  async #call<Answer>(method: string, params: Params, options: CallOptions = {}): Promise<Answer> {
    return checkResult(method, await this.#calls.request(method, params, options)) as Answer;
  }
}
