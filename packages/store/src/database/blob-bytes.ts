import { storeErrorOf } from '../errors/store-error.js';

/** How many bytes are read at a time. The digest of a file depends on it. */
const READ_BYTES = 1024 * 1024;

/**
 * The bytes of a blob, {@link READ_BYTES} at a time: the last may be fewer, and an empty blob has none.
 * Not by its `stream()`: in Firefox (153) that may give all of them at once.
 *
 * @throws `signal.reason` once it is aborted; {@link StoreError} `unreadable` when the bytes are.
 */
export async function* bytesOf(
  blob: Blob,
  signal?: AbortSignal,
): AsyncGenerator<ArrayBuffer, void, undefined> {
  for (let offset = 0; offset < blob.size; offset += READ_BYTES) {
    signal?.throwIfAborted();
    yield await bufferOf(blob.slice(offset, offset + READ_BYTES));
  }
  signal?.throwIfAborted();
}

/**
 * The bytes of a blob, all at once. Each browser has exceptions of its own for bytes that it cannot
 * read, and none for anything else.
 *
 * @throws {StoreError} `unreadable`.
 */
export async function bufferOf(blob: Blob): Promise<ArrayBuffer> {
  try {
    return await blob.arrayBuffer();
  } catch (cause) {
    throw storeErrorOf('unreadable', { cause });
  }
}
