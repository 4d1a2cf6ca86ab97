import type { StoreChange, StoredBytes, StoredFile } from '../schema/schema.js';

/** The maximum number of files whose Blobs are kept. */
const MAX_HELD = 256;

/**
 * The age from which a Blob can be used safely. After 2 ms it may be too new (4 of 12 pages crashed), after 8
 * ms none was (0 of 12).
 */
const USABLE_AFTER_MS = 20;

/** The Blobs of a file. */
interface HeldFile {
  revision: number;
  blobs: readonly Blob[];
  whenUsable: Promise<void>;
}

/**
 * Holds the stored Blobs that were read last, until their file changes.
 *
 * If a page slices a stored Blob, or puts it into another Blob, just after it was read, Chromium (156)
 * may end the whole process of the page. From its sources: the Blob is registered when it is read, and
 * the message for that may arrive late. It stays registered while there is a handle to it. See
 * docs/decisions/0034.
 */
export class HeldBlobs {
  /** The files by path, in the order in which they were last read. */
  readonly #held = new Map<string, HeldFile>();

  /**
   * Holds the Blobs of a file. Resolves once they can be sliced and put into other Blobs.
   *
   * Call it in the task in which they were read: a change that is announced later releases them.
   */
  async hold({ path, revision }: StoredFile, stored: readonly StoredBytes[]): Promise<void> {
    // Not stored buffers: they would stay in memory.
    const blobs = stored.filter((bytes) => bytes instanceof Blob);
    if (blobs.length === 0) return;
    const before = this.#held.get(path);
    const whenUsable = before?.revision === revision ? before.whenUsable : waitUntilUsable();
    this.#held.delete(path);
    this.#held.set(path, { revision, blobs, whenUsable });
    const [oldest] = this.#held.keys();
    if (this.#held.size > MAX_HELD) this.#held.delete(oldest!);
    await whenUsable;
  }

  /** Releases the Blobs of changed and deleted files: only then is their disk space free. */
  release(changes: readonly StoreChange[]): void {
    for (const { kind, key } of changes) {
      if (kind === 'file') this.#held.delete(key);
      else if (kind === 'everything') this.#held.clear();
    }
  }
}

function waitUntilUsable(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, USABLE_AFTER_MS));
}
