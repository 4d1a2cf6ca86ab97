/** How much the site uses and may use, as far as the browser says. An insecure context has nobody to ask. */
export async function storageEstimate(): Promise<StorageEstimate> {
  try {
    return await navigator.storage.estimate();
  } catch {
    return {};
  }
}
