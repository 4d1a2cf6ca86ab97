/** Whether SHA-256 is available: not in an insecure context. */
export function canDigest(): boolean {
  // Its type says that it always exists.
  return (crypto.subtle as SubtleCrypto | undefined) !== undefined;
}

/** The SHA-256 of some bytes. Call it only if {@link canDigest}. */
export async function sha256(bytes: BufferSource): Promise<ArrayBuffer> {
  return await crypto.subtle.digest('SHA-256', bytes);
}

/** Two hexadecimal digits for each byte. */
export function hexOf(bytes: ArrayBuffer): string {
  const digits = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0'));
  return digits.join('');
}

/**
 * Computes the digest of a file: the SHA-256 of the digests of its pieces, so that only one piece is in
 * memory.
 */
export class FileDigest {
  readonly #digests: ArrayBuffer[] = [];

  /** Adds the next piece from `bytesOf`. Has no effect without SHA-256. */
  async add(bytes: ArrayBuffer): Promise<void> {
    if (canDigest()) this.#digests.push(await sha256(bytes));
  }

  /** The digest in hexadecimal digits; undefined without SHA-256. */
  async value(): Promise<string | undefined> {
    if (!canDigest()) return undefined;
    return hexOf(await sha256(await new Blob(this.#digests).arrayBuffer()));
  }

  /** The same as a field of a record; absent without SHA-256. */
  async field(): Promise<{ digest?: string }> {
    const digest = await this.value();
    return digest === undefined ? {} : { digest };
  }
}
