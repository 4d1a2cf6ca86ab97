import { toStoreError } from './store-error.js';

/** A call of a write, as its retries are recognised. */
export interface Call {
  /** Which write: `notes.create`. */
  operation: string;
  /** What it was called with, the defaults filled in and always in the same order. */
  args: { readonly [name: string]: unknown };
  /** The bytes it was called with, where there are any. */
  blob?: Blob;
}

/** How many bytes are read and hashed at a time. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * A short string that is the same for the same call, and another for any other: the SHA-256 of
 * operation, arguments and bytes. A blob is never in memory as a whole.
 *
 * An insecure context has no SHA-256. There texts and bytes count by their length alone.
 *
 * @throws `signal.reason` once it is aborted; {@link StoreError} `unreadable` when the bytes are.
 */
export async function fingerprintOf(call: Call, signal?: AbortSignal): Promise<string> {
  const { operation, args, blob } = call;
  // Typed as always there, which it is in secure contexts only.
  if ((crypto.subtle as SubtleCrypto | undefined) === undefined) return roughFingerprint(call);
  const hashes = [await sha256(new TextEncoder().encode(JSON.stringify([operation, args])))];
  for (const chunk of chunksOf(blob)) {
    signal?.throwIfAborted();
    hashes.push(await sha256(await bytesOf(chunk)));
  }
  return hexOf(await sha256(new Uint8Array(await new Blob(hashes).arrayBuffer())));
}

function chunksOf(blob: Blob | undefined): Blob[] {
  if (!blob) return [];
  const count = Math.ceil(blob.size / CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) =>
    blob.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
}

function roughFingerprint({ operation, args, blob }: Call): string {
  return JSON.stringify([operation, args, blob?.size], lengthOfText);
}

function lengthOfText(name: string, value: unknown): unknown {
  return name === 'text' && typeof value === 'string' ? value.length : value;
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw toStoreError(error);
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
