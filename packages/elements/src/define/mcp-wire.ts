import { McpWire } from '../watch/mcp-wire/mcp-wire.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-wire', McpWire);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpWire };
