import { McpConnection } from '../mcp-connection/mcp-connection.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-connection', McpConnection);
