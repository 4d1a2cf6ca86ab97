import { McpProvider } from '../mcp-provider/mcp-provider.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-provider', McpProvider);

// With the type, TypeScript knows the element by its tag.
export type { McpProvider };
