import { toStoreError } from './store-error.js';

/** How many bytes are read and digested at a time. The digest of a file depends on it. */
const DIGESTED_BYTES = 1024 * 1024;

/** Whether there is SHA-256 here: an insecure context has none. */
export function canDigest(): boolean {
  // Typed as always there.
  return (crypto.subtle as SubtleCrypto | undefined) !== undefined;
}

/** The SHA-256 of some bytes. Only where {@link canDigest}. */
export async function sha256(bytes: BufferSource): Promise<ArrayBuffer> {
  return await crypto.subtle.digest('SHA-256', bytes);
}

/** Two hexadecimal digits for each byte. */
export function hexOf(bytes: ArrayBuffer): string {
  const digits = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0'));
  return digits.join('');
}

/**
 * The bytes of a blob, {@link DIGESTED_BYTES} at a time: the last may be fewer, and an empty blob
 * has none.
 *
 * @throws `signal.reason` once it is aborted; {@link StoreError} `unreadable` when the bytes are.
 */
export async function* bytesOf(
  blob: Blob,
  signal?: AbortSignal,
): AsyncGenerator<ArrayBuffer, void, undefined> {
  for (let offset = 0; offset < blob.size; offset += DIGESTED_BYTES) {
    signal?.throwIfAborted();
    yield await readBytes(blob.slice(offset, offset + DIGESTED_BYTES));
  }
  signal?.throwIfAborted();
}

/**
 * The bytes of a blob, all at once.
 *
 * @throws {StoreError} `unreadable`.
 */
async function readBytes(blob: Blob): Promise<ArrayBuffer> {
  try {
    return await blob.arrayBuffer();
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * Makes the digest of a file: the SHA-256 of the digests of its pieces of {@link DIGESTED_BYTES}, so
 * that no more than one of them has to be in memory.
 */
export class FileDigest {
  readonly #digests: ArrayBuffer[] = [];

  /** Adds the next piece, one that {@link bytesOf} gave. Without effect where there is no SHA-256. */
  async add(bytes: ArrayBuffer): Promise<void> {
    if (canDigest()) this.#digests.push(await sha256(bytes));
  }

  /** In hexadecimal digits; undefined where there is no SHA-256. */
  async value(): Promise<string | undefined> {
    if (!canDigest()) return undefined;
    return hexOf(await sha256(await new Blob(this.#digests).arrayBuffer()));
  }

  /** The same as a field of a record, or none. */
  async field(): Promise<{ digest?: string }> {
    const digest = await this.value();
    return digest === undefined ? {} : { digest };
  }
}
