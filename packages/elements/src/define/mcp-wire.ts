import { McpWire } from '../watch/mcp-wire/mcp-wire.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-wire', McpWire);

export type { McpWire };
