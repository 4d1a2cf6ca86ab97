/** The usage and quota of the site; empty if the browser reports none, as in an insecure context. */
export async function storageEstimate(): Promise<StorageEstimate> {
  try {
    return await navigator.storage.estimate();
  } catch {
    return {};
  }
}
