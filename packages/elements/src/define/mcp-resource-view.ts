import { McpResourceView } from '../mcp-resource-view/mcp-resource-view.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-resource-view', McpResourceView);
