import type { StoreView } from '@inpage-mcp/store';

/** How much is stored, and how much space is available. */
export interface StorageReport {
  /** The number of notes that the connection may see. */
  notes: number;
  /** The number of files that the connection may see. */
  files: number;
  /** What the site uses, as the browser estimates; absent if the browser has no estimate. */
  usedBytes?: number;
  /** How much the site may use. */
  quotaBytes?: number;
  /** Whether the browser has promised not to evict the data. */
  persisted: boolean;
}

/**
 * Counts the notes and files of a view of the store, and estimates the space for the whole site.
 */
export async function storageReport(store: StoreView): Promise<StorageReport> {
  const [notes, files, { usage, quota }, persisted] = await Promise.all([
    store.notes.count(),
    store.files.count(),
    tryStorage<StorageEstimate>((storage) => storage.estimate(), {}),
    tryStorage((storage) => storage.persisted(), false),
  ]);
  return {
    notes,
    files,
    ...(usage !== undefined && { usedBytes: usage }),
    ...(quota !== undefined && { quotaBytes: quota }),
    persisted,
  };
}

/** An insecure context has no `navigator.storage`, and in a frame it may throw. */
async function tryStorage<Value>(
  query: (storage: StorageManager) => Promise<Value>,
  fallback: Value,
): Promise<Value> {
  try {
    return await query(navigator.storage);
  } catch {
    return fallback;
  }
}
