import { McpToolForm } from '../act/mcp-tool-form/mcp-tool-form.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-tool-form', McpToolForm);

export type { McpToolForm };
export type {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
} from '../act/mcp-tool-form/events.js';
