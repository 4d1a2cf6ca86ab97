/** How many bytes are read at once. */
const CHUNK = 65_536;

/** How many chunks are kept. */
const MAX_CHUNKS = 64;

/** Reads the bytes of a Blob in chunks, when they are needed, and keeps the last ones. */
export class BytesReader {
  readonly #blob: Blob;
  readonly #onread: () => void;
  /** `undefined` while a chunk is read. */
  readonly #chunks = new Map<number, Uint8Array | undefined>();
  #error: unknown;

  /** @param onread Called when more bytes are there, or cannot be read. */
  constructor(blob: Blob, onread: () => void) {
    this.#blob = blob;
    this.#onread = onread;
  }

  get size(): number {
    return this.#blob.size;
  }

  /** Why bytes cannot be read. */
  get error(): unknown {
    return this.#error;
  }

  /** Bytes from an offset, within one chunk; `undefined` until they are read. */
  read(start: number, length: number): Uint8Array | undefined {
    const chunk = Math.floor(start / CHUNK);
    if (!this.#chunks.has(chunk)) void this.#load(chunk);
    const offset = start - chunk * CHUNK;
    return this.#chunks.get(chunk)?.subarray(offset, offset + length);
  }

  async #load(chunk: number): Promise<void> {
    this.#chunks.set(chunk, undefined);
    try {
      const part = this.#blob.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
      this.#chunks.set(chunk, new Uint8Array(await part.arrayBuffer()));
    } catch (error) {
      this.#error = error;
    }
    for (const [oldest] of this.#chunks) {
      if (this.#chunks.size <= MAX_CHUNKS) break;
      this.#chunks.delete(oldest);
    }
    this.#onread();
  }
}
