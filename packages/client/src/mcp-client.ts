import type { CallToolResult, ListToolsResult } from './tool-types.js';
import type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  PromptReference,
  ResourceTemplateReference,
} from './prompt-types.js';
import type {
  Implementation,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ServerCapabilities,
} from './protocol-types.js';
import type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  RequestOptions,
  WatchOptions,
} from './request-options.js';
import type { Watch } from './subscriptions.js';

/**
 * An MCP client of one connection. Every call rejects with an `McpError` when the server refuses,
 * with a `ClientError` when there is no proper answer, and with the reason of its signal.
 */
export interface McpClient {
  /** The protocol revision in use. */
  readonly protocolVersion: string;
  /** Who the server says it is. */
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  /** Resolves when the connection has ended, from either side. Never rejects. */
  readonly closed: Promise<void>;

  /** One page of the resources (`resources/list`). */
  listResources(options?: PageOptions): Promise<ListResourcesResult>;
  /** The pages of the resources, one after the other, each fetched when it is asked for. */
  resources(options?: RequestOptions): AsyncIterableIterator<Resource[]>;
  /** One page of the templates (`resources/templates/list`). */
  listResourceTemplates(options?: PageOptions): Promise<ListResourceTemplatesResult>;
  /** What is at an address (`resources/read`). A missing resource is an `McpError` −32602. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;

  /** One page of the tools (`tools/list`). */
  listTools(options?: PageOptions): Promise<ListToolsResult>;
  /**
   * Calls a tool (`tools/call`). A tool that failed resolves, with `isError`; a tool that there is
   * not, or that cannot take the arguments, is for the server to refuse in either way.
   */
  callTool(
    name: string,
    args?: { [name: string]: unknown },
    options?: CallOptions,
  ): Promise<CallToolResult>;

  /** One page of the prompts (`prompts/list`). */
  listPrompts(options?: PageOptions): Promise<ListPromptsResult>;
  /** A prompt, made for the arguments (`prompts/get`). */
  getPrompt(
    name: string,
    args?: { [name: string]: string },
    options?: CallOptions,
  ): Promise<GetPromptResult>;

  /** What an argument of a prompt or of a resource template may be (`completion/complete`). */
  complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompleteArgument,
    options?: CompleteOptions,
  ): Promise<CompleteResult['completion']>;

  /** Calls back after each change of a resource. Any number may watch the same one. */
  watch(uri: string, listener: (uri: string) => void, options?: WatchOptions): Watch;
  /** Calls back when the list of resources has changed. */
  watchList(listener: () => void, options?: WatchOptions): Watch;
  /** Calls back when the list of tools has changed. */
  watchTools(listener: () => void, options?: WatchOptions): Watch;
  /** Calls back when the list of prompts has changed. */
  watchPrompts(listener: () => void, options?: WatchOptions): Watch;

  /** Ends the connection: what is outstanding rejects with `closed`, every watch ends. */
  close(): Promise<void>;
}
