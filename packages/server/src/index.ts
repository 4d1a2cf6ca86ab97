// For the file of a worker.
export { startServer } from './start-server.js';
export type { ServerOptions } from './inpage-server.js';
export { notes } from './note-resources.js';
export { files, MAX_INLINE_BYTES } from './file-resources.js';

// For a provider of an app's own.
export { BadPositionError } from './resource-provider.js';
export type {
  ProviderSource,
  ResourceChange,
  ResourceChangeListener,
  ResourceContents,
  ResourcePage,
  ResourceProvider,
} from './resource-provider.js';

// For the page's side of the control plane, and for tests without a worker.
export type { Control } from './control.js';
export type { Outcome } from './outcome.js';
export { InpageServer } from './inpage-server.js';
export { PAGE_SIZES } from './resource-router.js';
export { NOTIFICATION_INTERVAL_MS } from './change-notifications.js';
export type {
  FilePage,
  NewNote,
  Note,
  NotePage,
  NoteSummary,
  NoteUpdate,
  StoredFile,
  StoreErrorCode,
} from '@inpage-mcp/store';
