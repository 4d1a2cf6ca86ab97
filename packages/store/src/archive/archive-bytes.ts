import { bufferOf } from '../database/blob-bytes.js';

/** The minimum number of bytes that one read fetches, if the archive has as many. */
const READ_BYTES = 1024 * 1024;

/** A part of an archive. */
export interface ArchivePart {
  start: number;
  size: number;
}

/**
 * Reads the bytes of an archive. Most entries are small and adjacent, and each read of a Blob takes
 * half a millisecond, however small: so each read also fetches the bytes that follow.
 */
export class ArchiveBytes {
  readonly blob: Blob;
  /** The bytes of the last read, and their position in the archive. */
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
