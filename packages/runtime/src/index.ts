// The runtime.
export { startRuntime } from './start-runtime.js';
export type {
  PortOptions,
  Runtime,
  RuntimeConnectOptions,
  RuntimeLimits,
  RuntimeOptions,
} from './runtime-types.js';
export type { RuntimeHistory } from './data/history.js';
export type { RuntimeFiles, RuntimeNotes } from './data/runtime-data.js';
export type {
  Persistence,
  PersistOptions,
  RuntimeStorage,
  StorageEstimate,
} from './data/storage.js';
export type { TaskOptions } from './data/tasks.js';
export type { Provided, ProvidedResource } from './data/provided.js';
export type { MountFolderOptions, MountedFolder } from './data/folders.js';
export type { Sync, SyncConflict, SyncError, SyncOptions, SyncStatus } from '@inpage-mcp/sync/page';
export type { ServedFrame, ServeFramesOptions } from './frames.js';
export type {
  Desktop,
  DesktopHost,
  DesktopRequest,
  DesktopState,
  PairingQuestion,
  ServeDesktopOptions,
} from './desktop/desktop-types.js';
export { RuntimeError, type RuntimeErrorCode } from './worker/runtime-error.js';

// Its events.
export type {
  ActivityEvent,
  FailedEvent,
  FoldersEvent,
  NewerVersionEvent,
  RestartEvent,
  RuntimeEventMap,
  StartProgress,
  StartProgressEvent,
  StorageLostEvent,
  WorkerErrorEvent,
} from './worker/runtime-events.js';

// The types of its results and options.
export type { McpClient } from '@inpage-mcp/client';
export type {
  Access,
  ActivityEntry,
  Audience,
  ChangedLimits,
  Confirm,
  ConfirmRequest,
  ConnectionLimits,
  CreateAllOptions,
  FileMatches,
  FileMoveOptions,
  FilePage,
  FileSearchOptions,
  FileUpdate,
  FileVerification,
  FileWriteOptions,
  FolderInfo,
  ImportOptions,
  ImportReport,
  ListedChange,
  HeldBy,
  LimitsOf,
  NewNote,
  Note,
  NoteMatch,
  NoteMatches,
  NotePage,
  NoteSearchOptions,
  NoteSummary,
  NoteUpdate,
  ProvidedContent,
  ProvidedDescription,
  Quota,
  ReadProvided,
  StorageLoss,
  StorageReport,
  StoredFile,
  UpdateOptions,
  VerifyOptions,
  WriteOptions,
} from '@inpage-mcp/server/control-plane';
