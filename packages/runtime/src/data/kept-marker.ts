/**
 * The key in `localStorage` of the marker that folders are kept, which a page finds without loading anything.
 * Its value is another text after each change, so that the other tabs get an event.
 */
export const keptMarkerKey = (databaseName: string): string => `inpage-mcp:${databaseName}:folders`;

/** Calls the listener if folders are kept, and when another tab has kept or forgotten one. */
export function onKeptFolders(
  databaseName: string,
  listener: () => unknown,
  signal: AbortSignal,
): void {
  const key = keptMarkerKey(databaseName);
  try {
    if (localStorage.getItem(key)) listener();
    addEventListener('storage', (event) => event.key === key && listener(), { signal });
  } catch {
    // A frame without storage keeps no folders, and neither does a test without a page.
  }
}
