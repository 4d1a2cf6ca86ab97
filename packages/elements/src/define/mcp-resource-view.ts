import { McpResourceView } from '../show/mcp-resource-view/mcp-resource-view.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-view', McpResourceView);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpResourceView };
export type {
  McpResourceBackEvent,
  McpResourceChangeEvent,
  McpResourceLinkEvent,
  McpResourceLoadEvent,
} from '../show/mcp-resource-view/content/events.js';
