import { storeErrorOf } from '../errors/store-error.js';

/** The number of bytes that are read at a time. The digest of a file depends on it. */
const READ_BYTES = 1024 * 1024;

/**
 * The bytes of a blob in pieces of {@link READ_BYTES}; the last piece may be shorter, and an empty blob has
 * no piece. It does not use `stream()`, because in Firefox (153) one chunk may have all bytes.
 *
 * @throws `signal.reason` after an abort; {@link StoreError} `unreadable` if the bytes cannot be read.
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
 * All bytes of a blob. Each browser throws different exceptions for unreadable bytes, and none for any
 * other reason.
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
