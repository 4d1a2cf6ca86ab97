/** How long a chunk is at least, but for the last, where small parts are put together; in bytes. */
const CHUNK_BYTES = 64 * 1024;

/** The chunks of a stream, which is cancelled when they are not taken to the end. */
export async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isRead = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isRead) reader.cancel().catch(() => undefined);
  }
}

/** Bytes, put together until they are worth a chunk. */
export class Gathered {
  #parts: Uint8Array[] = [];
  #length = 0;

  *add(part: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length >= CHUNK_BYTES) yield* this.rest();
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    if (this.#length === 0) return;
    const bytes = joined(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    yield bytes;
  }
}

/** The bytes of several arrays in one, of the length that they have together. */
export function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
