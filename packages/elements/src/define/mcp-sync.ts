import { McpSync } from '../watch/mcp-sync/mcp-sync.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-sync', McpSync);

export type { McpSync };
export type {
  DeviceSync,
  DeviceSyncStatus,
  SyncConflict,
  SyncedDevice,
} from '../watch/mcp-sync/device-sync.js';
export type { McpResourceSelectEvent } from '../show/mcp-resource-list/rows/events.js';
