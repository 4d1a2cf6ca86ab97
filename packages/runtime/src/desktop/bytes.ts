/** Bytes that the Web Crypto API accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The length of nonces, keys and hashes, in bytes. */
const LENGTH = 32;

/** Bytes as base64url without padding. */
export function toBase64url(bytes: Bytes): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * The bytes of a base64url text.
 *
 * @throws {Error} if the value is not base64url, or has another length.
 */
export function fromBase64url(text: unknown, length = LENGTH): Bytes {
  const decoded = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  if (decoded.length !== length) throw new TypeError();
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}

/**
 * Joins values for a hash. Each text is preceded by its length, so that different lists of values never
 * give the same bytes; binary values have a fixed length.
 */
export function joinBytes(values: readonly (string | Bytes)[]): Bytes {
  const all = values.flatMap((value) => {
    if (typeof value !== 'string') return [...value];
    const text = new TextEncoder().encode(value);
    // The length in four bytes: every text here is shorter than 64 kB.
    return [0, 0, text.length >> 8, text.length & 255, ...text];
  });
  return new Uint8Array(all);
}

/** A random nonce. */
export function randomBytes(): Bytes {
  return crypto.getRandomValues(new Uint8Array(LENGTH));
}
