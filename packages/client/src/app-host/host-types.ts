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
  // Capabilities that are absent here are not offered to the app.
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
 * The facts that the host reports to an app about the page around it (MCP Apps › Host Context): `theme`,
 * `styles`, `locale`, `timeZone`, `displayMode`, `availableDisplayModes`, `containerDimensions`, `toolInfo`
 * and others.
 */
export type HostContext = Json;

/** A call that an app wants to make, for a question to the user. */
export interface AppCall {
  /** The tool, as the server lists it. */
  tool: Tool;
  /** The exact arguments. */
  arguments: Json;
  /** Aborts when the app cancels the call, or has ended. */
  signal: AbortSignal;
}

/** The content that an app gives to the model for its next turn; each replaces the previous one. */
export interface ModelContext {
  /** The content for the model to read. */
  content?: ContentBlock[] | undefined;
  /** The values for programs, as JSON. */
  structuredContent?: Json | undefined;
}

/**
 * The decisions of the page for an app. If a hook is absent, the app is not offered this feature, except for
 * calls of tools and the sizes, which have defaults.
 */
export interface AppHooks {
  /** Whether the app may make a call. Default: only of tools that declare themselves read-only. */
  mayCall?(call: AppCall): boolean | Promise<boolean>;
  /**
   * Opens an address of the web; false if it was not opened. The signal aborts when the app cancels the
   * request.
   */
  openLink?(url: URL, signal: AbortSignal): boolean | Promise<boolean>;
  /** Saves resources or links to them; false if they were not saved. The signal as above. */
  downloadFile?(contents: ContentBlock[], signal: AbortSignal): boolean | Promise<boolean>;
  /** Adds a message of the user to the conversation; false if it was not added. */
  sendMessage?(content: ContentBlock[], signal: AbortSignal): boolean | Promise<boolean>;
  /** Stores the content that the app gives to the model for its next turn. */
  updateContext?(context: ModelContext): void | Promise<void>;
  /** Asks the page's model, with the params and the result of `sampling/createMessage`. */
  createMessage?(params: Json, signal: AbortSignal): Promise<Json>;
  /** Shows the app in another way, and returns the mode that it then has. Default: it stays. */
  setDisplayMode?(mode: string): string;
  /** Called when the app's content has another size, in CSS pixels, at most 20,000. */
  resize?(size: { width?: number; height?: number }): void;
  /** Called when the app has started. */
  started?(app: { info: Implementation | undefined; capabilities: Json }): void;
  /** Called with each line of the app's log. */
  log?(entry: Json): void;
  /** Called when the app wants to be closed. */
  close?(): void;
  /** Called when the app sends more messages than the page can handle. The session has ended. */
  flooded?(): void;
}

/** The parts of a session. */
export interface AppSessionOptions {
  /**
   * The server of the app, such as an `McpClient`. The session does not close it. Default: no server;
   * requests of the app to its server are rejected.
   */
  client?: AppServer | undefined;
  /**
   * The transport to the app, not started yet: an `AppFrame`, or any other transport. The session closes it.
   */
  transport: ClientTransport;
  /** The name and version of the host. Default: `inpage-mcp`. */
  hostInfo?: Implementation | undefined;
  /** The host context of the app. Default: empty. */
  context?: HostContext | undefined;
  /**
   * The features that the app's sandbox allows, for `hostCapabilities.sandbox`. Default: they are not
   * reported.
   */
  sandbox?: Json | undefined;
  /** The hooks of the page. Default: no hooks. */
  hooks?: AppHooks | undefined;
}

/** An object with `_meta`: a listed resource, or its contents. */
export interface WithMeta {
  _meta?: Meta | undefined;
}
