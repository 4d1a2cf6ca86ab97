import { McpConnection } from '../watch/mcp-connection/mcp-connection.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-connection', McpConnection);

export type { McpConnection };
export type { McpReconnectEvent } from '../watch/mcp-connection/events.js';
