/**
 * The minimum length of a chunk, except for the last one, in bytes. Each chunk of an export may become
 * a message to another thread.
 */
const CHUNK_BYTES = 256 * 1024;

/** The chunks of a stream. If the caller stops before the end, the stream is cancelled. */
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

/** Joins small parts to chunks. */
export class ChunkBuffer {
  #parts: Uint8Array[] = [];
  #length = 0;

  *add(part: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length >= CHUNK_BYTES) yield* this.flush();
  }

  *flush(): Generator<Uint8Array<ArrayBuffer>> {
    if (this.#length === 0) return;
    const bytes = concatBytes(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    yield bytes;
  }
}

/** @param length The total length of the parts. */
export function concatBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
