/** Bytes with a separate buffer, as WebCrypto requires them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A text in UTF-8. */
export function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The bytes of several arrays, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Base64url without padding (RFC 4648 section 5), of some hundred bytes at most. */
export function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The SHA-256 digest of bytes. */
export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Random bytes for keys, salts and initialization vectors. */
export function randomBytes(size: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(size));
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
