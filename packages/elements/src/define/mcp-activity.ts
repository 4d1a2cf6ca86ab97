import { McpActivity } from '../mcp-activity/mcp-activity.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-activity', McpActivity);
