import type { StoredBytes } from './schema.js';
import type { StoreChange } from './store-changes.js';

/** How many Blobs are held: of 4 GiB, where they are pieces of large files. */
const MAX_HELD = 256;

/**
 * Holds the stored Blobs that were read last, until their file is another.
 *
 * Chromium (156) may end the process of a page, and all that is in it, that makes a slice of a stored Blob
 * or puts it into another. From its sources: it registers a Blob when it is read, and again when it is
 * read after all handles on it were collected; where the two come at one moment the registration is
 * lost. It is not registered again as long as there is one handle. See docs/decisions/0034.
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
      else if (kind === 'everything') this.#letAllGo();
    }
  }

  #letAllGo(): void {
    this.#held.clear();
    this.#count = 0;
  }

  #letGo(path: string): void {
    this.#count -= this.#held.get(path)?.length ?? 0;
    this.#held.delete(path);
  }
}
