import { McpNoteEditor } from '../act/mcp-note-editor/mcp-note-editor.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-note-editor', McpNoteEditor);

// With the types, TypeScript knows the element by its tag, and its events.
export type { McpNoteEditor };
export type { McpNoteLostEvent, McpNoteSaveEvent } from '../act/mcp-note-editor/events.js';
