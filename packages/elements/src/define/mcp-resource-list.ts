import { McpResourceList } from '../mcp-resource-list/mcp-resource-list.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-list', McpResourceList);

// With the type, TypeScript knows the element by its tag.
export type { McpResourceList };
export type { McpResourceSelectEvent } from '../mcp-resource-list/events.js';
