import { McpFileDrop } from '../act/mcp-file-drop/mcp-file-drop.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-file-drop', McpFileDrop);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpFileDrop };
export type { McpFilesAddEvent, McpFilesSaveEvent } from '../act/mcp-file-drop/upload-batch.js';
