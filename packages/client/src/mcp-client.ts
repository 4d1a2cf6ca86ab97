import type { CallToolResult, ListToolsResult } from './api/tool-types.js';
import type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  PromptReference,
  ResourceTemplateReference,
} from './api/prompt-types.js';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ServerCapabilities,
} from './api/protocol-types.js';
import type { Implementation, Resource } from '@inpage-mcp/protocol/types';
import type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  WatchOptions,
} from './api/request-options.js';
import type { ClientState } from './connection/client-state.js';
import type { Watch } from './subscriptions/subscriptions.js';

/**
 * An MCP client of one server. Every call rejects with an `McpError` when the server refuses, with a
 * `ClientError` when there is no proper answer, and with the reason of its signal.
 *
 * One that can reconnect (see `connectClient`) opens another connection when it loses its own. Calls
 * made meanwhile wait for that, within their time. Of those under way, reads are sent again, once,
 * as are calls of tools that have an `idempotencyKey` among their arguments; the others reject with
 * `connection-lost`. Every watch goes on, and its listener is called once, as it may have missed
 * something.
 */
export interface McpClient {
  /** The protocol revision in use. */
  readonly protocolVersion: string;
  /** Who the server says it is. Another connection may change that, and what it can do. */
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  /** Whether there is a connection. */
  readonly state: ClientState;
  /**
   * Resolves when the connection has ended, from either side; where there may be another, once
   * there will be none. Never rejects.
   */
  readonly closed: Promise<void>;

  /** One page of the resources (`resources/list`). */
  listResources(options?: PageOptions): Promise<ListResourcesResult>;
  /**
   * The pages of the resources, one after the other, each fetched when it is asked for. Throws
   * `endless-list` where they do not end: see {@link eachPage}, which walks the other lists.
   */
  resources(options?: RequestOptions): AsyncIterableIterator<Resource[]>;
  /** One page of the templates (`resources/templates/list`). */
  listResourceTemplates(options?: PageOptions): Promise<ListResourceTemplatesResult>;
  /** What is at an address (`resources/read`). A missing resource is an `McpError` −32602. */
  readResource(uri: string, options?: ReadOptions): Promise<ReadResourceResult>;

  /** One page of the tools (`tools/list`). */
  listTools(options?: PageOptions): Promise<ListToolsResult>;
  /**
   * Calls a tool (`tools/call`). A tool that failed resolves, with `isError`; a tool that there is
   * not, or that cannot take the arguments, is for the server to refuse in either way.
   *
   * A server may ask a user by itself before it answers, as one of this project asks by the page's
   * `confirm`. Nothing tells the client so, and the default of `timeoutMs` may end the call before
   * they have read the question: where that may be, give as long as they are to have, such as the
   * ten minutes that `confirm` has.
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

  /** Calls back with each new {@link state}, until the signal aborts; not with the present one. */
  watchState(listener: (state: ClientState) => void, options?: WatchOptions): void;

  /** Ends the connection for good: what is outstanding rejects with `closed`, every watch ends. */
  close(): Promise<void>;
}
