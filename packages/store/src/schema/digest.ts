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
 * Makes the digest of a file: the SHA-256 of the digests of its pieces, so that no more than one of
 * them has to be in memory.
 */
export class FileDigest {
  readonly #digests: ArrayBuffer[] = [];

  /** Adds the next piece, one that `bytesOf` gave. Without effect where there is no SHA-256. */
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
