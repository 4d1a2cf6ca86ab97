// A disk that is small enough to be filled.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '640m';

/** A file system in memory in the place of a folder. */
export class SmallDisk {
  #folder;
  #filler;

  /** @param {string} folder that is empty, or not there yet */
  constructor(folder) {
    this.#folder = folder;
    this.#filler = join(folder, 'filler');
  }

  /**
   * @returns {string | undefined} why it cannot be, as without the rights of root
   */
  mount() {
    mkdirSync(this.#folder, { recursive: true });
    const args = ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', this.#folder];
    const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8' });
    return status === 0 ? undefined : `mount: ${error?.message ?? stderr.trim()}`;
  }

  unmount() {
    // The last processes of the browser may still hold it: it goes when they do.
    spawnSync('umount', ['--lazy', this.#folder]);
  }

  /**
   * Takes, or gives back, so much that there is this much left.
   * @param {number} freeBytes
   */
  fill(freeBytes) {
    const { bavail, bsize } = statfsSync(this.#folder);
    const more = bavail * bsize - freeBytes;
    if (more > 0) this.#append(more);
    else truncateSync(this.#filler, statSync(this.#filler).size + more);
  }

  /** @param {number} bytes */
  #append(bytes) {
    try {
      appendFileSync(this.#filler, Buffer.alloc(bytes));
    } catch (error) {
      // The browser has taken some of it at the same moment.
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOSPC') throw error;
    }
  }

  /** Gives the room back. */
  empty() {
    rmSync(this.#filler, { force: true });
  }
}
