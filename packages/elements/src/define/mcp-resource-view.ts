import { McpResourceView } from '../show/mcp-resource-view/mcp-resource-view.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-view', McpResourceView);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpResourceView };
export type { McpResourceBackEvent } from '../show/mcp-resource-view/trail/back-event.js';
export type { McpResourceChangeEvent } from '../show/mcp-resource-view/changes/change-event.js';
export type { McpResourceLoadEvent } from '../show/mcp-resource-view/events.js';
export type { McpResourceLinkEvent } from '../show/mcp-resource-view/link-event.js';
