import { McpResourceView } from '../mcp-resource-view/mcp-resource-view.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-view', McpResourceView);

// With the type, TypeScript knows the element by its tag.
export type { McpResourceView };
export type { McpResourceLoadEvent } from '../mcp-resource-view/events.js';
