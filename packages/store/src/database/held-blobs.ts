import type { StoreChange, StoredBytes, StoredFile } from '../schema/schema.js';

/** Of how many files the Blobs are held. */
const MAX_HELD = 256;

/** After 2 ms one may be too new (4 of 12 pages were ended), after 8 ms none was (0 of 12). */
const USABLE_AFTER_MS = 20;

/** The Blobs of a file. */
interface Held {
  revision: number;
  blobs: readonly Blob[];
  whenUsable: Promise<void>;
}

/**
 * Holds the stored Blobs that were read last, until their file is another.
 *
 * Chromium (156) may end the process of a page, and all that is in it, that cuts a stored Blob just
 * after it was read, or puts it into another Blob. From its sources: the Blob is registered when it is
 * read, and the message for that may come late. It remains registered as long as there is one handle.
 * See docs/decisions/0034.
 */
export class HeldBlobs {
  /** By path; the one that was read last is the last. */
  readonly #held = new Map<string, Held>();

  /**
   * Holds the Blobs of a file. Resolves once they can be cut and put into others.
   *
   * To be called in the task in which they were read: a change that is announced later lets them go.
   */
  async hold({ path, revision }: StoredFile, stored: readonly StoredBytes[]): Promise<void> {
    // Not what is stored as bytes: those would be held in memory.
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

  /** Holds no more what was changed or deleted: the disk space of a Blob is free once nobody has it. */
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
