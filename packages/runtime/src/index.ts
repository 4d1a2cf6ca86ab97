// The runtime.
export { startRuntime } from './start-runtime.js';
export type {
  Provided,
  ProvidedResource,
  Runtime,
  RuntimeConnectOptions,
  RuntimeFiles,
  RuntimeNotes,
  RuntimeOptions,
} from './start-runtime.js';
export { RuntimeError, type RuntimeErrorCode } from './runtime-error.js';

// What it hands out.
export type { McpClient } from '@inpage-mcp/client';
export type {
  Access,
  Audience,
  Confirm,
  ConfirmRequest,
  FilePage,
  FileUpdate,
  FileWrite,
  NewNote,
  Note,
  NoteMatch,
  NotePage,
  NoteSummary,
  NoteUpdate,
  ProvidedContent,
  ProvidedDescription,
  ReadProvided,
  StoredFile,
} from '@inpage-mcp/server/control-plane';
