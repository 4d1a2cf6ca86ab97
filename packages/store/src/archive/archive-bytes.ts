import { bufferOf } from '../blob-bytes.js';

/** How many bytes are read at least, as far as there are so many. */
const READ_BYTES = 256 * 1024;

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
  #last = { start: 0, bytes: new Uint8Array() };

  constructor(blob: Blob) {
    this.blob = blob;
  }

  /** @throws {StoreError} `unreadable`. */
  async read({ start, size }: ArchivePart): Promise<Uint8Array<ArrayBuffer>> {
    const isThere =
      start >= this.#last.start && start + size <= this.#last.start + this.#last.bytes.length;
    if (!isThere) {
      const buffer = await bufferOf(this.blob.slice(start, start + Math.max(size, READ_BYTES)));
      this.#last = { start, bytes: new Uint8Array(buffer) };
    }
    const from = start - this.#last.start;
    return this.#last.bytes.subarray(from, from + size);
  }

  /** The same as a Blob, of which nothing is read. */
  slice({ start, size }: ArchivePart): Blob {
    return this.blob.slice(start, start + size);
  }
}
