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

// For a server in any other thread.
export { InpageServer } from './inpage-server.js';
export { PAGE_SIZES } from './resource-router.js';
export { NOTIFICATION_INTERVAL_MS } from './change-notifications.js';
