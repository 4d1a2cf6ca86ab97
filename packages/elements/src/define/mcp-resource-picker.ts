import { McpResourcePicker } from '../choose/mcp-resource-picker/mcp-resource-picker.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-picker', McpResourcePicker);

export type { McpResourcePicker };
export type { McpResourcePickEvent } from '../choose/mcp-resource-picker/events.js';
