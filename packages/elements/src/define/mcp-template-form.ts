import { McpTemplateForm } from '../mcp-template-form/mcp-template-form.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-template-form', McpTemplateForm);
