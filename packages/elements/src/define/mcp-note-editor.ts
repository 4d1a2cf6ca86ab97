import { McpNoteEditor } from '../mcp-note-editor/mcp-note-editor.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-note-editor', McpNoteEditor);
