import type { Bytes } from '../keys/bytes.js';

/** How many bytes of a file are in memory at once: as many as one of the digests that make its digest. */
const PART_BYTES = 1_048_576;

/** The bytes of a Blob, 1 MiB at a time: not every browser iterates over its stream. */
export async function* partsOf(blob: Blob): AsyncGenerator<Bytes> {
  for (let start = 0; start < blob.size; start += PART_BYTES)
    yield new Uint8Array(await blob.slice(start, start + PART_BYTES).arrayBuffer());
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
