import type { StoredBytes } from './schema.js';
import type { StoreChange } from './store-changes.js';

/** How many Blobs are held: of 4 GiB, where they are pieces of large files. */
const MAX_HELD = 256;

/**
 * Holds the stored Blobs that were read last, until their file is another.
 *
 * Chromium (156) registers a stored Blob when it is read, and again when it is read after all handles on
 * it were collected. Where that is at the same moment, the registration may be lost, and whoever then
 * makes a slice of the Blob or puts it into another has its process ended: the whole page is gone. It
 * is not registered again as long as there is one handle. See docs/decisions/0034.
 */
export class HeldBlobs {
  /** By path; the one that was read last is the last. */
  readonly #held = new Map<string, readonly Blob[]>();
  #count = 0;

  /**
   * Holds the Blobs of a file.
   *
   * To be called in the task in which they were read: a change that is announced later lets them go.
   */
  hold(path: string, stored: readonly StoredBytes[]): void {
    this.#letGo(path);
    // Not what is stored as bytes: those would be held in memory.
    const blobs = stored.filter((bytes) => bytes instanceof Blob);
    this.#held.set(path, blobs);
    this.#count += blobs.length;
    for (const [eldest] of this.#held) {
      if (this.#count <= MAX_HELD || eldest === path) return;
      this.#letGo(eldest);
    }
  }

  /** Holds no more what was changed or deleted: the disk space of a Blob is free once nobody has it. */
  changed(changes: readonly StoreChange[]): void {
    for (const { kind, key } of changes) {
      if (kind === 'file') this.#letGo(key);
      else if (kind === 'everything') for (const path of this.#held.keys()) this.#letGo(path);
    }
  }

  #letGo(path: string): void {
    this.#count -= this.#held.get(path)?.length ?? 0;
    this.#held.delete(path);
  }
}
