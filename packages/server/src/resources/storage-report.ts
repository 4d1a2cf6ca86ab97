import type { StoreView } from '@inpage-mcp/store';

/** The amount of stored data, and the available space. */
export interface StorageReport {
  /** The number of notes that the connection may see. */
  notes: number;
  /** The number of files that the connection may see. */
  files: number;
  /** The space that the site uses, as the browser estimates; absent if the browser has no estimate. */
  usedBytes?: number;
  /** The space that the site may use. */
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

/**
 * Calls a function of `navigator.storage`. It does not exist in an insecure context, and may throw in a
 * frame.
 */
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
