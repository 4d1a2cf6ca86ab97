import type {
  CallOptions,
  ListResourcesResult,
  PageOptions,
  ReadResourceResult,
  ServerCapabilities,
  Watch,
  WatchOptions,
} from '@inpage-mcp/client';
import type { ToolCaller } from '../tools/tool-formats.js';

/** The part of a client that the tools of the browser use; an `McpClient` has it. */
export interface WebMcpClient extends ToolCaller {
  /** The capabilities of the server: whether it has tools and resources. */
  readonly serverCapabilities: ServerCapabilities;
  /** Resolves when the client has closed: the tools are then removed. */
  readonly closed: Promise<void>;
  /** One page of the resources. */
  listResources(options?: PageOptions): Promise<ListResourcesResult>;
  /** The contents of a resource. If it rejects, the agent gets the reason. */
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  /** Calls back when the list of tools has changed. */
  watchTools(listener: () => void, options?: WatchOptions): Watch;
}
