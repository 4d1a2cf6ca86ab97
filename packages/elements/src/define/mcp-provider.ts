import { McpProvider } from '../provide/mcp-provider/mcp-provider.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-provider', McpProvider);

export type { McpProvider };
