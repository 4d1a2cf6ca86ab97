import { McpNoteEditor } from '../act/mcp-note-editor/mcp-note-editor.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-note-editor', McpNoteEditor);

export type { McpNoteEditor };
export type { McpNoteLostEvent, McpNoteSaveEvent } from '../act/mcp-note-editor/events.js';
