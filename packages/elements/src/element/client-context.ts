import type { McpClient } from '@inpage-mcp/client';
import { createContext } from '@lit/context';

/**
 * Under this context `<mcp-provider>` provides its client to the elements inside it. The key is a
 * registered symbol: two copies of this package on one page understand each other.
 */
export const clientContext = createContext<McpClient | undefined>(
  Symbol.for('@inpage-mcp/elements/client'),
);
