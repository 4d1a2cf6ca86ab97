import { type Bytes, encodeUtf8, randomBytes } from './bytes.js';
import { newCode, parseCode } from './code.js';
import {
  damaged,
  type KeyRing,
  MAX_GENERATIONS,
  readKeyRing,
  SALT_BYTES,
  VaultError,
  writeKeyRing,
} from './key-ring.js';
import { seal, unseal } from './sealing.js';
import {
  DATA_KEY_BYTES,
  deriveKeys,
  deriveSealingKey,
  nameOf,
  type VaultKeys,
} from './vault-keys.js';

/** The minimum number of characters of a passphrase. */
export const MIN_PASSPHRASE_LENGTH = 12;
/** The maximum number of characters of a passphrase. */
export const MAX_PASSPHRASE_LENGTH = 1_024;
/** The number of times that PBKDF2 hashes a new passphrase: the recommendation of OWASP for SHA-256. */
const ITERATIONS = 600_000;

/** A vault with new keys. */
export interface NewVault {
  keys: VaultKeys;
  /** The key ring: the record with the name `KEY_RING_NAME`. */
  record: Bytes;
  /** A code that opens the vault if the passphrase is forgotten. To be shown once, and stored nowhere. */
  recoveryCode: string;
}

/**
 * Creates a vault.
 *
 * @throws {VaultError} `weak-passphrase`
 */
export async function createVault(passphrase: string): Promise<NewVault> {
  const text = checkPassphrase(passphrase);
  return await newVault([randomBytes(DATA_KEY_BYTES)], [], text);
}

/**
 * Opens a vault.
 *
 * @param record The key ring on the server.
 * @param secret The passphrase or the recovery code.
 * @param known The keys that this device has had so far.
 * @throws {VaultError} `wrong-secret`, `damaged`, `newer`, or `outdated` if the device knows more keys.
 */
export async function openVault(
  record: Uint8Array,
  secret: string,
  known?: VaultKeys,
): Promise<VaultKeys> {
  const keys = await deriveKeys((await openRing(record, secret, known)).dataKeys);
  if (known && (await nameOf(keys, 'device', '')) !== (await nameOf(known, 'device', '')))
    throw new VaultError('outdated', 'The server has the keys of another vault.');
  return keys;
}

/**
 * Begins a new data key, after a device has been removed. The other devices then have to open the vault
 * again, because without the passphrase, a device cannot get a key that the removed one should not have. The
 * old recovery code ends, because the removed device may have the key that it opens.
 *
 * @param passphrase The passphrase; not a recovery code.
 * @throws {VaultError} as {@link openVault} does, and `exhausted`.
 */
export async function rotate(
  keys: VaultKeys,
  record: Uint8Array,
  passphrase: string,
): Promise<NewVault> {
  const { ring, dataKeys, isByCode } = await openRing(record, passphrase, keys);
  // The recovery code would become the passphrase of all devices.
  if (isByCode) throw wrongSecret();
  if (dataKeys.length >= MAX_GENERATIONS) {
    throw new VaultError('exhausted', 'This vault cannot have more keys: begin a new one.');
  }
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const key = await deriveSealingKey(dataKey, 'older');
  const previous = await seal(key, dataKeys.at(-1)!, `older ${dataKeys.length}`);
  // An old passphrase may be shorter than the minimum for a new one.
  return await newVault([...dataKeys, dataKey], [...ring.older, previous], normalize(passphrase));
}

/**
 * Gives the vault another passphrase. The keys and the recovery code stay.
 *
 * @param secret The passphrase so far, or the recovery code.
 * @returns The new key ring.
 * @throws {VaultError} as {@link openVault} does, and `weak-passphrase`.
 */
export async function changePassphrase(
  record: Uint8Array,
  secret: string,
  passphrase: string,
): Promise<Bytes> {
  const text = checkPassphrase(passphrase);
  const { ring, dataKeys } = await openRing(record, secret);
  return await writeKeyRing({ ...ring, ...(await underPassphrase(dataKeys, text)) });
}

async function newVault(dataKeys: Bytes[], older: Bytes[], passphrase: string): Promise<NewVault> {
  const recoveryCode = newCode();
  const key = await recoveryKey(parseCode(recoveryCode)!);
  const record = await writeKeyRing({
    ...(await underPassphrase(dataKeys, passphrase)),
    recovery: await seal(key, dataKeys.at(-1)!, `recovery ${dataKeys.length}`),
    older,
  });
  return { keys: await deriveKeys(dataKeys), record, recoveryCode };
}

async function underPassphrase(
  dataKeys: Bytes[],
  passphrase: string,
): Promise<Pick<KeyRing, 'salt' | 'iterations' | 'passphrase'>> {
  const parameters = { salt: randomBytes(SALT_BYTES), iterations: ITERATIONS };
  const key = await passphraseKey(passphrase, parameters);
  const wrapped = await seal(key, dataKeys.at(-1)!, `passphrase ${dataKeys.length}`);
  return { ...parameters, passphrase: wrapped };
}

/**
 * The data keys of a vault; they leave this folder only inside sealed bytes.
 *
 * @throws {VaultError} as {@link openVault} does.
 */
export async function openRing(
  record: Uint8Array,
  secret: string,
  known?: VaultKeys,
): Promise<{ ring: KeyRing; dataKeys: Bytes[]; isByCode: boolean }> {
  const ring = await readKeyRing(record);
  const generation = ring.older.length + 1;
  if (known && known.records.length > generation) {
    throw new VaultError('outdated', 'The server has older keys than this device.');
  }
  const code = parseCode(secret);
  const passphrase = normalize(secret);
  const byCode =
    code && (await unseal(await recoveryKey(code), ring.recovery, `recovery ${generation}`));
  const newest =
    byCode ??
    // WebKit cannot derive a key from an empty text.
    (passphrase &&
      (await unseal(
        await passphraseKey(passphrase, ring),
        ring.passphrase,
        `passphrase ${generation}`,
      )));
  if (!newest) throw wrongSecret();
  return { ring, dataKeys: await openOlder(newest, ring.older), isByCode: byCode !== undefined };
}

function wrongSecret(): VaultError {
  return new VaultError('wrong-secret', 'This passphrase or code is not the right one.');
}

/**
 * The data keys of all generations, derived from the newest one.
 *
 * @throws {VaultError} `damaged`
 */
export async function openOlder(newest: Bytes, older: readonly Bytes[]): Promise<Bytes[]> {
  const dataKeys = [newest];
  for (let generation = older.length; generation > 0; generation -= 1) {
    const key = await deriveSealingKey(dataKeys[0]!, 'older');
    const dataKey = await unseal(key, older[generation - 1]!, `older ${generation}`);
    if (!dataKey) throw damaged();
    dataKeys.unshift(dataKey);
  }
  return dataKeys;
}

async function recoveryKey(code: Bytes): Promise<CryptoKey> {
  return await deriveSealingKey(code, 'recovery');
}

async function passphraseKey(
  passphrase: string,
  { salt, iterations }: Pick<KeyRing, 'salt' | 'iterations'>,
): Promise<CryptoKey> {
  const source = await crypto.subtle.importKey('raw', encodeUtf8(passphrase), 'PBKDF2', false, [
    'deriveKey',
  ]);
  return await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    source,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** The passphrase in a form in which the same characters are the same bytes on every keyboard. */
function normalize(passphrase: string): string {
  return passphrase.normalize('NFKC');
}

function checkPassphrase(passphrase: string): string {
  const text = normalize(passphrase);
  const { length } = Array.from(text);
  if (length < MIN_PASSPHRASE_LENGTH || length > MAX_PASSPHRASE_LENGTH) {
    throw new VaultError(
      'weak-passphrase',
      `The passphrase has ${length} characters; ${MIN_PASSPHRASE_LENGTH} to ${MAX_PASSPHRASE_LENGTH} are allowed.`,
    );
  }
  return text;
}
