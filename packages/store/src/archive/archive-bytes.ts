import { bufferOf } from '../database/blob-bytes.js';

/** How many bytes are read at least, as far as there are so many. */
const READ_BYTES = 1024 * 1024;

/** A part of an archive. */
export interface ArchivePart {
  start: number;
  size: number;
}

/**
 * The bytes of an archive. Most entries are small and lie one behind the other, and a Blob takes half a
 * millisecond for each read, however small: so what comes behind is read along with what is asked for.
 */
export class ArchiveBytes {
  readonly blob: Blob;
  /** The last that were read, and where they begin. */
  #bytes = new Uint8Array();
  #start = 0;

  constructor(blob: Blob) {
    this.blob = blob;
  }

  /** @throws {StoreError} `unreadable`. */
  async read({ start, size }: ArchivePart): Promise<Uint8Array<ArrayBuffer>> {
    const isThere = start >= this.#start && start + size <= this.#start + this.#bytes.length;
    if (!isThere) {
      const part = this.blob.slice(start, start + Math.max(size, READ_BYTES));
      this.#bytes = new Uint8Array(await bufferOf(part));
      this.#start = start;
    }
    return this.#bytes.subarray(start - this.#start, start - this.#start + size);
  }
}
