/**
 * The memory of this browser about the page, in `localStorage`. Access throws if it is forbidden, as in a
 * frame of another site, in a sandboxed one, or if the user blocks the data of sites. The page then works
 * without it, and remembers nothing.
 */

/** A remembered value; null if it does not exist. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value. Returns whether this was possible, because the storage may be full or missing. */
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
    // Nothing was stored then.
  }
}
