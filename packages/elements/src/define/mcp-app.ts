import { McpApp } from '../act/mcp-app/mcp-app.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-app', McpApp);

export type { McpApp };
export type {
  McpAppCloseEvent,
  McpAppDownloadEvent,
  McpAppErrorEvent,
  McpAppLinkEvent,
  McpAppLogEvent,
  McpAppReadyEvent,
} from '../act/mcp-app/events.js';
