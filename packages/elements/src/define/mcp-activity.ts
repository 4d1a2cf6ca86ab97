import { McpActivity } from '../watch/mcp-activity/mcp-activity.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-activity', McpActivity);

export type { McpActivity };
export type { McpRevertEvent, McpRevokeEvent } from '../watch/mcp-activity/asked-of-page.js';
