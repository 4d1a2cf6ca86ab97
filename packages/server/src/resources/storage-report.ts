import type { StoreView } from '@inpage-mcp/store';

/** How much there is, and how much there may be. */
export interface StorageReport {
  notes: number;
  files: number;
  /** What the site uses, as the browser estimates it; absent where it does not say. */
  usedBytes?: number;
  /** What the site may use. */
  quotaBytes?: number;
  /** Whether the browser has promised not to delete the data by itself. */
  persisted: boolean;
}

/** How much there is in a part of the store, and how much room there is for the whole site. */
export async function storageReport(store: StoreView): Promise<StorageReport> {
  const [notes, files, { usage, quota }, persisted] = await Promise.all([
    store.notes.count(),
    store.files.count(),
    ask<StorageEstimate>((storage) => storage.estimate(), {}),
    ask((storage) => storage.persisted(), false),
  ]);
  return {
    notes,
    files,
    ...(usage !== undefined && { usedBytes: usage }),
    ...(quota !== undefined && { quotaBytes: quota }),
    persisted,
  };
}

/** An insecure context has no `navigator.storage`, and a frame may be refused. */
async function ask<Value>(
  question: (storage: StorageManager) => Promise<Value>,
  otherwise: Value,
): Promise<Value> {
  try {
    return await question(navigator.storage);
  } catch {
    return otherwise;
  }
}
