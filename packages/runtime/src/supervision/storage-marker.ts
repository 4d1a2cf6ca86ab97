import type { Head } from '@inpage-mcp/server/control-plane';

/**
 * Keeps the last known head of a database outside of IndexedDB, to detect when the database was
 * cleared, evicted or rolled back. The head has no content, and is removed when the database is
 * empty.
 */
export class StorageMarker {
  readonly #key: string;
  /** The last head, for pages without `localStorage`. */
  #last: Head | undefined;

  constructor(databaseName: string) {
    this.#key = `inpage-mcp:${databaseName}`;
  }

  /** The last known head; `undefined` if none is known. */
  get(): Head | undefined {
    return this.#read() ?? this.#last;
  }

  /**
   * Keeps a head, unless a newer one is kept already, which another tab may have set.
   *
   * @param isOpened Whether the database was just opened: its head then replaces even a newer one,
   *   so that a loss is reported once.
   */
  set(head: Head, isOpened: boolean): void {
    this.#last = head;
    const kept = this.#read();
    if (!isOpened && kept?.id === head.id && kept.sequence >= head.sequence) return;
    try {
      if (head.notes + head.files === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(head));
    } catch {
      // A frame without storage, or no space: losses before a start are then not detected.
    }
  }

  #read(): Head | undefined {
    try {
      const text = localStorage.getItem(this.#key);
      const value: unknown = text === null ? undefined : JSON.parse(text);
      // Any script of the origin may have written it.
      return isHead(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const { id, sequence, notes, files } = value as { [key in keyof Head]?: unknown };
  return typeof id === 'string' && [sequence, notes, files].every(Number.isSafeInteger);
}
