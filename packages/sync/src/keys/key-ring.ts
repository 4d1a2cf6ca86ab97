import { DATA_KEY_BYTES } from './vault-keys.js';
import { SEAL_BYTES } from './sealing.js';
import { type Bytes, concatBytes, sha256, toBase64Url } from './bytes.js';

/** The name of the record with the key ring, which every device must find before it has keys. */
export const KEY_RING_NAME = 'keys';

/** The format that is written. */
const FORMAT = 1;
/** The minimum number of iterations of PBKDF2 in a key ring: fewer make a passphrase guessable. */
export const MIN_ITERATIONS = 100_000;
/** The maximum number: a device takes some seconds for it, and a hostile server could demand hours. */
export const MAX_ITERATIONS = 10_000_000;
/** The maximum number of data keys: one byte of a record names its key. */
export const MAX_GENERATIONS = 255;

/** The size of a salt in bytes. */
export const SALT_BYTES = 16;
/** The number of bytes of the format and the iterations. */
const HEAD_BYTES = 5;
const WRAPPED_AT = HEAD_BYTES + SALT_BYTES;
const WRAPPED_BYTES = DATA_KEY_BYTES + SEAL_BYTES;
const CHECK_BYTES = 8;
const MIN_BYTES = WRAPPED_AT + 2 * WRAPPED_BYTES + CHECK_BYTES;

/** The data keys as the server has them, sealed. */
export interface KeyRing {
  /** The salt of PBKDF2. */
  salt: Bytes;
  /** The number of times that PBKDF2 hashes the passphrase. */
  iterations: number;
  /** The newest data key, sealed with the passphrase. */
  passphrase: Bytes;
  /** The newest data key, sealed with the recovery code. */
  recovery: Bytes;
  /** The other data keys, each sealed with its successor; the key of generation 1 comes first. */
  older: readonly Bytes[];
}

/**
 * The reason why a vault could not be opened or changed:
 *
 * - `weak-passphrase`: the new passphrase is too short or too long
 * - `wrong-secret`: neither the passphrase nor the code
 * - `damaged`: the key ring or invitation is not what any version has written
 * - `newer`: a later version of this package has written it
 * - `outdated`: the server has an older key ring than this device knows, or that of another vault: it has
 *   gone back in time, or wants the device to use a key that a removed device has
 * - `expired`: the invitation is too old, or one of the two clocks is wrong
 * - `exhausted`: no further data key is possible
 */
export type VaultErrorCode =
  'weak-passphrase' | 'wrong-secret' | 'damaged' | 'newer' | 'outdated' | 'expired' | 'exhausted';

/** A vault could not be opened or changed; the code says why. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A key ring as a record. The check sum at its end distinguishes damage from a wrong passphrase. */
export async function writeKeyRing(ring: KeyRing): Promise<Bytes> {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  head.setUint8(0, FORMAT);
  head.setUint32(1, ring.iterations);
  const { salt, passphrase, recovery, older } = ring;
  const body = concatBytes(new Uint8Array(head.buffer), salt, passphrase, recovery, ...older);
  return concatBytes(body, await checkSum(body));
}

/**
 * Reads a key ring.
 *
 * @throws {VaultError} `damaged` or `newer`
 */
export async function readKeyRing(record: Uint8Array): Promise<KeyRing> {
  const [format = 0] = record;
  if (format > FORMAT) throw newer();
  const older = (record.length - MIN_BYTES) / WRAPPED_BYTES;
  if (!Number.isInteger(older) || older < 0 || older >= MAX_GENERATIONS) throw damaged();
  const bytes = new Uint8Array(record);
  const checked = await checkSum(bytes.subarray(0, -CHECK_BYTES));
  if (toBase64Url(bytes.subarray(-CHECK_BYTES)) !== toBase64Url(checked)) throw damaged();
  const iterations = new DataView(bytes.buffer).getUint32(1);
  if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) throw damaged();
  const wrapped = (index: number): Bytes =>
    bytes.subarray(WRAPPED_AT + index * WRAPPED_BYTES, WRAPPED_AT + (index + 1) * WRAPPED_BYTES);
  return {
    iterations,
    salt: bytes.subarray(HEAD_BYTES, WRAPPED_AT),
    passphrase: wrapped(0),
    recovery: wrapped(1),
    older: Array.from({ length: older }, (_, index) => wrapped(index + 2)),
  };
}

/**
 * Whether a key ring has fewer keys than another one. A damaged one counts as having none, and one of a later
 * version as having the most.
 */
export async function isOlderKeyRing(record: Uint8Array, other: Uint8Array): Promise<boolean> {
  return (await countKeys(record)) < (await countKeys(other));
}

/** The number of keys of a key ring, counted as in {@link isOlderKeyRing}. */
export async function countKeys(record: Uint8Array): Promise<number> {
  try {
    return (await readKeyRing(record)).older.length + 1;
  } catch (error) {
    return (error as VaultError).code === 'newer' ? Infinity : 0;
  }
}

/** The error for a key ring or an invitation that no version has written. */
export function damaged(): VaultError {
  return new VaultError('damaged', 'The keys on the server are damaged.');
}

/** The error for a key ring or an invitation of a later version. */
export function newer(): VaultError {
  return new VaultError('newer', 'A later version has written the keys: update this one.');
}

async function checkSum(body: Bytes): Promise<Bytes> {
  return (await sha256(body)).subarray(0, CHECK_BYTES);
}
