import { McpToolForm } from '../mcp-tool-form/mcp-tool-form.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-tool-form', McpToolForm);
