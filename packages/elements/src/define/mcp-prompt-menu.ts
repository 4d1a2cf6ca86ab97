import { McpPromptMenu } from '../mcp-prompt-menu/mcp-prompt-menu.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-prompt-menu', McpPromptMenu);
