import { McpTemplateForm } from '../choose/mcp-template-form/mcp-template-form.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-template-form', McpTemplateForm);

export type { McpTemplateForm };
export type { McpTemplateSubmitEvent } from '../choose/mcp-template-form/events.js';
