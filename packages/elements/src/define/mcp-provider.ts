import { McpProvider } from '../provide/mcp-provider/mcp-provider.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-provider', McpProvider);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpProvider };
