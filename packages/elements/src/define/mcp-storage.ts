import { McpStorage } from '../act/mcp-storage/mcp-storage.js';
import { defineOnce } from './define-once.js';

defineOnce('mcp-storage', McpStorage);

export type { McpStorage };
export type {
  DataEstimate,
  DataImport,
  DataStorage,
  DataTaskOptions,
  ExportProtection,
  ImportedCounts,
} from '../act/mcp-storage/data-storage.js';
export type {
  McpStorageDoneEvent,
  McpStorageQuestionEvent,
  StorageAction,
} from '../act/mcp-storage/events.js';
