import type { StoreView } from '@inpage-mcp/store';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Resources } from './accessible-resources.js';
import type { WritePermission } from './write-permission.js';

/** What tools and prompts of one connection work with. */
export interface Connection {
  /** The notes and files, as far as the connection may see them. */
  readonly store: StoreView;
  /** Every resource that there is for the connection. */
  readonly router: Resources;
  /** Whether the connection may write, and who is asked. */
  readonly writing: WritePermission;
  /** Whether results of tools may hold content of the type `resource_link`. */
  readonly resourceLinks: boolean;
}

/** Adds tools or prompts to the server of each connection, before it is connected. */
export type Feature = (mcp: McpServer, connection: Connection) => void;
