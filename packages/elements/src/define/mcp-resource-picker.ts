import { McpResourcePicker } from '../mcp-resource-picker/mcp-resource-picker.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-picker', McpResourcePicker);
