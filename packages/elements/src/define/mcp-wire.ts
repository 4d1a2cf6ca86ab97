import { McpWire } from '../mcp-wire/mcp-wire.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-wire', McpWire);
