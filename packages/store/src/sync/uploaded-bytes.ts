import type { Database } from '../database/database.js';
import type { FileContent } from '../files/file-records.js';
import { withUploadOf } from '../files/file-uploads.js';
import { contentOf } from '../files/file-writing.js';
import { MAX_FILE_BYTES } from '../schema/limits.js';
import { StoreError } from '../errors/store-error.js';

/** The bytes of a file, which come one after the other. */
export interface ByteSource {
  /** The parts, each of any size. */
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Their total size in bytes, up to `MAX_FILE_BYTES`. */
  size: number;
}

/** Stores bytes that come one after the other: see `StoreSync.withBytes`. */
export async function withBytes<Value>(
  database: Database,
  { parts, size }: ByteSource,
  use: (bytes: FileContent) => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (size > MAX_FILE_BYTES) throw wrongSize(MAX_FILE_BYTES);
  const { pieceBytes, maxWholeBytes } = database.blobs;
  const pieces = blobsOf(parts, size, pieceBytes);
  if (size > maxWholeBytes) {
    return await withUploadOf(database, { pieces, size }, { signal }, use);
  }
  let whole = new Blob([]);
  for await (const piece of pieces) whole = piece;
  return await use(await contentOf(database, whole, signal));
}

/** Joins bytes to Blobs of a size; the last one may be smaller. */
async function* blobsOf(
  parts: ByteSource['parts'],
  size: number,
  pieceBytes: number,
): AsyncGenerator<Blob, void> {
  let waiting = new Blob([]);
  let total = 0;
  for await (const part of parts) {
    total += part.byteLength;
    if (total > size) throw wrongSize(size);
    waiting = new Blob([waiting, part]);
    while (waiting.size > pieceBytes) {
      yield waiting.slice(0, pieceBytes);
      waiting = waiting.slice(pieceBytes);
    }
  }
  if (total < size) throw wrongSize(size);
  if (waiting.size > 0) yield waiting;
}

function wrongSize(size: number): StoreError {
  return new StoreError('invalid-argument', `The file does not have ${size} bytes.`);
}
