import type { McpServer } from '@inpage-mcp/protocol';
import type { StoreView } from '@inpage-mcp/store';
import type { Resources } from './accessible-resources.js';

/** The context of tools and prompts: what one connection may see. */
export interface Connection {
  /** The notes and files that the connection may see. */
  readonly store: StoreView;
  /** Every resource that the connection may see. */
  readonly router: Resources;
}

/** Adds tools, prompts or methods to the server, once for all connections. */
export type Feature = (server: McpServer<Connection>) => void;
