import type { CallToolResult, ListToolsResult } from '../api/tool-types.js';
import type {
  CompleteArgument,
  CompleteResult,
  GetPromptResult,
  ListPromptsResult,
  PromptReference,
  ResourceTemplateReference,
} from '../api/prompt-types.js';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ServerCapabilities,
} from '../api/protocol-types.js';
import type { Implementation, Resource } from '@inpage-mcp/protocol/types';
import type {
  CallOptions,
  CompleteOptions,
  PageOptions,
  ReadOptions,
  RequestOptions,
  WatchOptions,
} from '../api/request-options.js';
import type { ClientState } from '../connection/client-state.js';
import type { Watch, WatchListener } from '../subscriptions/subscriptions.js';

/**
 * An MCP client of one server. A call rejects with an `McpError` if the server rejects it, with a
 * `ClientError` if no valid answer arrives, and with the reason of its signal.
 *
 * If the client can reconnect (see `connectClient`), it opens another connection after a connection
 * loss. New calls wait for that connection, within their limits. Of the pending calls, reads are sent
 * again, once, and so are tool calls with an `idempotencyKey` in their arguments; the others reject
 * with `connection-lost`. Every watch continues, and its listener is called once, because it may have
 * missed changes.
 */
export interface McpClient {
  /** The protocol revision in use. */
  readonly protocolVersion: string;
  /** The server's name and version. Like the capabilities, it may change on another connection. */
  readonly serverInfo: Implementation | undefined;
  /** The capabilities that the server has declared; empty if it has declared none. */
  readonly serverCapabilities: ServerCapabilities;
  /** The state of the connection, see {@link ClientState}; {@link watchState} reports changes. */
  readonly state: ClientState;
  /**
   * Resolves when the connection was closed by either side. If the client can reconnect, resolves
   * when it no longer does. Never rejects.
   */
  readonly closed: Promise<void>;

  /** One page of the resources (`resources/list`). */
  listResources(options?: PageOptions): Promise<ListResourcesResult>;
  /**
   * Iterates over the pages of the resources, and fetches each page on demand. Throws `endless-list`
   * if the pages never end. For other lists, see {@link eachPage}.
   */
  resources(options?: RequestOptions): AsyncIterableIterator<Resource[]>;
  /** One page of the templates (`resources/templates/list`). */
  listResourceTemplates(options?: PageOptions): Promise<ListResourceTemplatesResult>;
  /** Reads a resource (`resources/read`). If it does not exist, rejects with an `McpError` −32602. */
  readResource(uri: string, options?: ReadOptions): Promise<ReadResourceResult>;

  /** One page of the tools (`tools/list`). */
  listTools(options?: PageOptions): Promise<ListToolsResult>;
  /**
   * Calls a tool (`tools/call`). If the tool fails, the call resolves with `isError`. If the tool
   * does not exist or its arguments are invalid, the server may use either `isError` or an error.
   *
   * A server may ask its own user before it answers, as this project's server does with the page's
   * `confirm`. The client is not notified, and the default `timeoutMs` may end the call before the
   * user has read the question. For such calls, set `timeoutMs` to the time that the user has, such
   * as the ten minutes of `confirm`.
   */
  callTool(
    name: string,
    args?: { [name: string]: unknown },
    options?: CallOptions,
  ): Promise<CallToolResult>;

  /** One page of the prompts (`prompts/list`). */
  listPrompts(options?: PageOptions): Promise<ListPromptsResult>;
  /** A prompt, filled with the arguments (`prompts/get`). */
  getPrompt(
    name: string,
    args?: { [name: string]: string },
    options?: CallOptions,
  ): Promise<GetPromptResult>;

  /** Suggests values for an argument of a prompt or resource template (`completion/complete`). */
  complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompleteArgument,
    options?: CompleteOptions,
  ): Promise<CompleteResult['completion']>;

  /** Calls back after each change of a resource. A resource may have several watches. */
  watch(uri: string, listener: WatchListener, options?: WatchOptions): Watch;
  /** Calls back when the list of resources has changed. */
  watchList(listener: () => void, options?: WatchOptions): Watch;
  /** Calls back when the list of tools has changed. */
  watchTools(listener: () => void, options?: WatchOptions): Watch;
  /** Calls back when the list of prompts has changed. */
  watchPrompts(listener: () => void, options?: WatchOptions): Watch;

  /** Calls back with each new {@link state}, until the signal aborts; not with the current one. */
  watchState(listener: (state: ClientState) => void, options?: WatchOptions): void;

  /** Ends the connection for good: pending calls reject with `closed`, and every watch ends. */
  close(): Promise<void>;
}
