import { StoreError } from '@inpage-mcp/store';
import type { Bytes } from '../keys/bytes.js';

/** The number of bytes of a file that are in memory at once: the size of one of the digests' parts. */
const PART_BYTES = 1_048_576;

/** The bytes of a Blob in parts of 1 MiB, because not every browser iterates over its stream. */
export async function* partsOf(blob: Blob): AsyncGenerator<Bytes> {
  for (let start = 0; start < blob.size; start += PART_BYTES)
    yield new Uint8Array(await bytesOf(blob.slice(start, start + PART_BYTES)));
}

/**
 * All bytes of a small Blob. Each browser throws different exceptions for unreadable bytes, and none for any
 * other reason.
 *
 * @throws {StoreError} `unreadable`
 */
export async function bytesOf(blob: Blob): Promise<ArrayBuffer> {
  try {
    return await blob.arrayBuffer();
  } catch (cause) {
    throw new StoreError('unreadable', 'The bytes of a file cannot be read.', { cause });
  }
}

/** The digest of a file as the store computes it, for files of earlier versions, which have none. */
export async function digestOf(blob: Blob): Promise<string> {
  const digests: ArrayBuffer[] = [];
  for await (const part of partsOf(blob)) digests.push(await sha256(part));
  const digest = await sha256(await new Blob(digests).arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const sha256 = (bytes: BufferSource): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', bytes);
