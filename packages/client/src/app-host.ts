// The host of MCP Apps: the conversation with one app, and the frame that shows it.
export { AppSession } from './app-host/app-session.js';
export type {
  AppCall,
  AppHooks,
  AppServer,
  AppSessionOptions,
  HostContext,
  ModelContext,
} from './app-host/host-types.js';
export { AppFrame, AppFrameError } from './app-host/app-frame.js';
export type { AppFrameOptions } from './app-host/app-frame.js';
export {
  acceptedPermissions,
  acceptedSources,
  framePermissions,
  framePolicy,
  sourcesOf,
} from './app-host/frame-policy.js';
export type { AppSources } from './app-host/frame-policy.js';
export { readApp, type AppDocument } from './app-host/read-app.js';
export { APP_MEDIA_TYPE, APPS_EXTENSION, appUriOf, isVisibleTo } from './apps/app-metadata.js';
