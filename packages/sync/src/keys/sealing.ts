import { type Bytes, concatBytes, encodeUtf8, randomBytes } from './bytes.js';

const IV_BYTES = 12;
/** The number of bytes that sealing adds: the initialization vector and the tag of AES-GCM. */
export const SEAL_BYTES = IV_BYTES + 16;

/**
 * Encrypts with AES-256-GCM and a random initialization vector, which comes first.
 *
 * @param context The meaning of the bytes: they can only be opened with the same context.
 */
export async function seal(key: CryptoKey, bytes: Bytes, context: string): Promise<Bytes> {
  const iv = randomBytes(IV_BYTES);
  const sealed = await crypto.subtle.encrypt(algorithm(iv, context), key, bytes);
  return concatBytes(iv, new Uint8Array(sealed));
}

/** The bytes that were sealed; `undefined` with another key or context, and if a bit has changed. */
export async function unseal(
  key: CryptoKey,
  sealed: Bytes,
  context: string,
): Promise<Bytes | undefined> {
  if (sealed.length < SEAL_BYTES) return undefined;
  const iv = sealed.subarray(0, IV_BYTES);
  try {
    const rest = sealed.subarray(IV_BYTES);
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(iv, context), key, rest));
  } catch {
    // WebCrypto does not report the reason.
    return undefined;
  }
}

function algorithm(iv: Bytes, context: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: encodeUtf8(context) };
}
