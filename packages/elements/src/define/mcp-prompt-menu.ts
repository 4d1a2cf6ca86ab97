import { McpPromptMenu } from '../choose/mcp-prompt-menu/mcp-prompt-menu.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-prompt-menu', McpPromptMenu);

export type { McpPromptMenu };
export type { McpPromptSubmitEvent } from '../choose/mcp-prompt-menu/events.js';
