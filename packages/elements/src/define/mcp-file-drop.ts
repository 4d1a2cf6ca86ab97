import { McpFileDrop } from '../act/mcp-file-drop/mcp-file-drop.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-file-drop', McpFileDrop);

export type { McpFileDrop };
export type { McpFilesAddEvent, McpFilesSaveEvent } from '../act/mcp-file-drop/upload-batch.js';
