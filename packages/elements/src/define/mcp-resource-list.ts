import { McpResourceList } from '../show/mcp-resource-list/mcp-resource-list.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-list', McpResourceList);

export type { McpResourceList };
export type {
  McpResourceActivateEvent,
  McpResourceSelectEvent,
} from '../show/mcp-resource-list/rows/events.js';
export type { McpFolderAllowEvent } from '../reading/folders.js';
export type { McpResourceUpdateEvent } from '../show/mcp-resource-list/update-marks.js';
