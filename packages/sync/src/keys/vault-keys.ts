import { type Bytes, encodeUtf8, toBase64Url } from './bytes.js';

/** The kind of a record or piece under a name. */
export type NameKind = 'note' | 'file' | 'piece' | 'device';

/**
 * The keys of an opened vault. None can be exported; IndexedDB can store the object as it is.
 *
 * A generation is a data key. Removing a device begins a new one, so that the removed device cannot read
 * what is written from then on.
 */
export interface VaultKeys {
  /**
   * The key for the names of records. It is derived from the first generation, so that records keep their
   * names.
   */
  readonly names: CryptoKey;
  /** The keys for records and pieces: the key of generation 1 comes first, the one for new records last. */
  readonly records: readonly CryptoKey[];
}

/** The size of a data key in bytes. */
export const DATA_KEY_BYTES = 32;

/** The number of bytes of an HMAC in a name: 128 bits are as hard to guess as a key of that size. */
const NAME_BYTES = 16;

/**
 * Derives the keys from the data keys.
 *
 * @param dataKeys The data keys of all generations, the first one first.
 */
export async function deriveKeys(dataKeys: readonly Bytes[]): Promise<VaultKeys> {
  const names = await deriveKey(
    dataKeys[0]!,
    'names',
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    ['sign'],
  );
  const records = dataKeys.map((dataKey) => deriveSealingKey(dataKey, 'records'));
  return { names, records: await Promise.all(records) };
}

/** An AES-256-GCM key from a secret that cannot be guessed. */
export async function deriveSealingKey(secret: Bytes, purpose: string): Promise<CryptoKey> {
  return await deriveKey(secret, purpose, { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']);
}

/** A name from a secret that cannot be guessed. */
export async function deriveName(secret: Bytes, purpose: string): Promise<string> {
  const source = await importSecret(secret);
  const bits = await crypto.subtle.deriveBits(hkdf(purpose), source, NAME_BYTES * 8);
  return toBase64Url(new Uint8Array(bits));
}

/**
 * The name of an entry on the server: 22 characters that reveal nothing about it.
 *
 * @param key The note's id, the file's path, the digest of a piece, or the device's id.
 */
export async function nameOf(keys: VaultKeys, kind: NameKind, key: string): Promise<string> {
  // No kind contains NUL, so two different pairs never have the same bytes.
  const signature = await crypto.subtle.sign('HMAC', keys.names, encodeUtf8(`${kind}\0${key}`));
  return toBase64Url(new Uint8Array(signature, 0, NAME_BYTES));
}

async function deriveKey(
  secret: Bytes,
  purpose: string,
  algorithm: AesKeyGenParams | HmacKeyGenParams,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  const source = await importSecret(secret);
  return await crypto.subtle.deriveKey(hkdf(purpose), source, algorithm, false, usages);
}

async function importSecret(secret: Bytes): Promise<CryptoKey> {
  return await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey', 'deriveBits']);
}

/** The parameters of HKDF (RFC 5869) without a salt, because the secrets are random. */
function hkdf(purpose: string): HkdfParams {
  const info = encodeUtf8(`inpage-mcp sync 1 ${purpose}`);
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
}
