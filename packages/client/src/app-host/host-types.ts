import type { ContentBlock, Implementation, Meta } from '@inpage-mcp/protocol/types';
import type { Tool } from '../api/tool-types.js';
import type { ClientTransport } from '../connection/rpc-connection.js';
import type { McpClient } from '../interface/mcp-client.js';

/** Values by their names, as JSON has them. */
export interface Json {
  [name: string]: unknown;
}

/** The server of an app: the part of an `McpClient` that an app can reach. */
export type AppServer = Pick<
  McpClient,
  | 'serverInfo'
  // What is absent is not offered to the app.
  | 'serverCapabilities'
  | 'listTools'
  | 'callTool'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'listPrompts'
  | 'getPrompt'
  | 'complete'
  | 'watch'
  | 'watchTools'
  | 'watchList'
  | 'watchPrompts'
>;

/**
 * What the host tells an app about the page around it (MCP Apps › Host Context): `theme`, `styles`, `locale`,
 * `timeZone`, `displayMode`, `availableDisplayModes`, `containerDimensions`, `toolInfo` and others.
 */
export type HostContext = Json;

/** A call that an app wants to make, for a question to the user. */
export interface AppCall {
  /** As the server lists it. */
  tool: Tool;
  /** The exact arguments. */
  arguments: Json;
  /** Aborts when the app takes the call back, or has ended. */
  signal: AbortSignal;
}

/** What an app has for the next turn of the model; each replaces the one before. */
export interface ModelContext {
  /** For the model to read. */
  content?: ContentBlock[] | undefined;
  /** Values, as JSON has them. */
  structuredContent?: Json | undefined;
}

/**
 * What the page decides for an app. What is absent is not offered to it, except for calls of tools and the
 * sizes, which have defaults.
 */
export interface AppHooks {
  /** Whether the app may make a call. Default: only of tools that declare themselves read-only. */
  mayCall?(call: AppCall): boolean | Promise<boolean>;
  /** Opens an address of the web; false if it was not opened. The signal: the app takes the request back. */
  openLink?(url: URL, signal: AbortSignal): boolean | Promise<boolean>;
  /** Saves resources or links to them; false if they were not saved. The signal as above. */
  downloadFile?(contents: ContentBlock[], signal: AbortSignal): boolean | Promise<boolean>;
  /** Adds a message of the user to the conversation; false if it was not added. */
  sendMessage?(content: ContentBlock[], signal: AbortSignal): boolean | Promise<boolean>;
  /** Keeps what the app has for the next turn of the model. */
  updateContext?(context: ModelContext): void;
  /** Asks the page's model: params and result of `sampling/createMessage`. */
  createMessage?(params: Json, signal: AbortSignal): Promise<Json>;
  /** Shows the app in another way, and returns the mode that it then has. Default: it stays. */
  setDisplayMode?(mode: string): string;
  /** The app's content has another size, in CSS pixels, at most 20,000. */
  resize?(size: { width?: number; height?: number }): void;
  /** The app has started. */
  started?(app: { info: Implementation | undefined; capabilities: Json }): void;
  /** A line of the app's log. */
  log?(entry: Json): void;
  /** The app wants to be closed. */
  close?(): void;
  /** The app sends more than the page can take. The session has ended. */
  flooded?(): void;
}

/** The parts of a session. */
export interface AppSessionOptions {
  /**
   * The server of the app, such as an `McpClient`. The session does not close it. Default: none; what the
   * app asks of its server is refused.
   */
  client?: AppServer | undefined;
  /** To the app, not started yet: an `AppFrame`, or any other transport. The session closes it. */
  transport: ClientTransport;
  /** The name and version of the host. Default: `inpage-mcp`. */
  hostInfo?: Implementation | undefined;
  /** Default: nothing. */
  context?: HostContext | undefined;
  /** What the app's sandbox lets it do, for `hostCapabilities.sandbox`. Default: nothing is said. */
  sandbox?: Json | undefined;
  /** Default: none. */
  hooks?: AppHooks | undefined;
}

/** `_meta` of a listed resource or of its contents. */
export interface WithMeta {
  _meta?: Meta | undefined;
}
