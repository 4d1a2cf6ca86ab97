// The runtime.
export { startRuntime } from './start-runtime.js';
export type { Runtime, RuntimeFiles, RuntimeNotes, RuntimeOptions } from './start-runtime.js';
export { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';

// What it hands out.
export type { McpClient } from '@inpage-mcp/client';
export type {
  FilePage,
  NewNote,
  Note,
  NotePage,
  NoteSummary,
  NoteUpdate,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
