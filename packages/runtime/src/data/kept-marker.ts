/**
 * That folders are kept, where a page finds it without loading anything. It is another text after each
 * change, so that the other tabs get an event.
 */
const keyOf = (databaseName: string): string => `inpage-mcp:${databaseName}:folders`;

/** Calls the listener if folders are kept, and when another tab has kept one, or let go of one. */
export function onKeptFolders(
  databaseName: string,
  listener: () => unknown,
  signal: AbortSignal,
): void {
  const key = keyOf(databaseName);
  try {
    if (localStorage.getItem(key)) listener();
    addEventListener('storage', (event) => event.key === key && listener(), { signal });
  } catch {
    // A frame without storage keeps no folder, nor does a test without a page.
  }
}

/** For the other tabs, and the next visit. */
export function markKeptFolders(databaseName: string, hasSome: boolean): void {
  const key = keyOf(databaseName);
  if (hasSome) localStorage.setItem(key, crypto.randomUUID());
  else localStorage.removeItem(key);
}
