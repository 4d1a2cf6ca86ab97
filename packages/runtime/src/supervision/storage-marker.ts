import type { Head } from '@inpage-mcp/server/control-plane';

/**
 * Where a database stood when this page last heard of it, kept outside of IndexedDB: what is cleared,
 * evicted or rolled back there is noticed by it. It holds no content, and is removed when there is
 * nothing to lose.
 */
export class StorageMarker {
  readonly #key: string;
  /** For pages that may not keep anything. */
  #last: Head | undefined;

  constructor(databaseName: string) {
    this.#key = `inpage-mcp:${databaseName}`;
  }

  /** Undefined where nothing is known. */
  get(): Head | undefined {
    return this.#read() ?? this.#last;
  }

  /**
   * Keeps what is newer than what is kept already, as another tab may have.
   *
   * @param isOpened Whether the database was just opened: then that is where it stands, also where more
   *   was known before, and a loss is told once.
   */
  set(head: Head, isOpened: boolean): void {
    this.#last = head;
    const kept = this.#read();
    if (!isOpened && kept?.id === head.id && kept.sequence >= head.sequence) return;
    try {
      if (head.notes + head.files === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(head));
    } catch {
      // A frame without storage of its own, or no room: then losses before a start go unnoticed.
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
