import type { Store } from '@inpage-mcp/store';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ResourceRouter } from './resource-router.js';
import type { WritePermission } from './write-permission.js';

/** What tools and prompts of one connection work with. */
export interface Connection {
  readonly store: Store;
  /** Every resource of the server. */
  readonly router: ResourceRouter;
  /** Whether the connection may write, and who is asked. */
  readonly writing: WritePermission;
}

/** Adds tools or prompts to the server of each connection, before it is connected. */
export type Feature = (mcp: McpServer, connection: Connection) => void;
