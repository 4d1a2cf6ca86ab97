import type { McpServer } from '@inpage-mcp/protocol';
import type { StoreView } from '@inpage-mcp/store';
import type { Resources } from './accessible-resources.js';

/** What tools and prompts work with: what one connection may see. */
export interface Connection {
  /** The notes and files, as far as the connection may see them. */
  readonly store: StoreView;
  /** Every resource that there is for the connection. */
  readonly router: Resources;
}

/** Adds tools, prompts or methods to the server, once for all connections. */
export type Feature = (server: McpServer<Connection>) => void;
