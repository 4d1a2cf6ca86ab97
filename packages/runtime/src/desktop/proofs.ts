import { fromBase64url, joinBytes, toBase64url, type Bytes } from './bytes.js';

/** HMAC of the values, as base64url. */
export async function sign(key: CryptoKey, ...values: (string | Bytes)[]): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', key, joinBytes(values));
  return toBase64url(new Uint8Array(signature));
}

/**
 * Whether a signature is the HMAC of the values. The time that this takes does not depend on them.
 *
 * @throws {Error} if the signature is not base64url.
 */
export async function verify(
  key: CryptoKey,
  signature: unknown,
  ...values: (string | Bytes)[]
): Promise<boolean> {
  return await crypto.subtle.verify('HMAC', key, fromBase64url(signature), joinBytes(values));
}
