import { McpToolForm } from '../act/mcp-tool-form/mcp-tool-form.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-tool-form', McpToolForm);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpToolForm };
export type {
  McpToolCallEvent,
  McpToolResourceEvent,
  McpToolResultEvent,
} from '../act/mcp-tool-form/events.js';
