import { McpResourceView } from '../show/mcp-resource-view/mcp-resource-view.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-view', McpResourceView);

export type { McpResourceView };
export type { McpFolderAllowEvent } from '../reading/folders.js';
export type {
  McpResourceBackEvent,
  McpResourceChangeEvent,
  McpResourceLinkEvent,
  McpResourceLoadEvent,
} from '../show/mcp-resource-view/content/events.js';
