/**
 * The memory of this browser about the page, in `localStorage`. That throws where it is forbidden, as in
 * a frame of another site, in a sandboxed one, or where the user blocks the data of sites: there the
 * page works without, and remembers nothing.
 */

/** A remembered value; null if there is none. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether it could be done: there may be no room, or no storage. */
export function remember(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then there was nothing.
  }
}
