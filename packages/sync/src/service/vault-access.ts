import type { SyncState } from '../engine/sync-state.js';
import { isSameBytes } from '../keys/bytes.js';
import { acceptInvitation, invitationName } from '../keys/invitation.js';
import { KEY_RING_NAME, VaultError } from '../keys/key-ring.js';
import { createVault, openRing, openVault, rotate, type NewVault } from '../keys/vault.js';
import type { VaultKeys } from '../keys/vault-keys.js';
import { RemoteError, type Remote, type RemoteRecord } from '../remotes/remote.js';

/** An opened vault, with its key ring as the server has it. */
interface OpenedVault {
  keys: VaultKeys;
  ring: Uint8Array;
  /** The recovery code, if the vault is new. */
  recoveryCode?: string;
}

/** A vault that an earlier attempt has created, whose answer may have been lost. */
export interface Attempt {
  created?: NewVault | undefined;
}

/**
 * Opens the vault of a server, or creates it if the server has none.
 *
 * @param attempt Keeps the created vault: if the answer of the server is lost, the user has not seen its
 *   recovery code, and gets it with the next attempt.
 * @throws VaultError, RemoteError
 */
export async function openOrCreate(
  remote: Remote,
  secret: string,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<OpenedVault> {
  await remote.state(signal);
  const known = await remote.get(KEY_RING_NAME, signal);
  if (known?.bytes) {
    const { bytes } = known;
    const keys = await openWith(remote, secret, bytes, signal);
    const { created } = attempt;
    const isOurs = created !== undefined && isSameBytes(created.record, bytes);
    return { keys, ring: bytes, ...(isOurs && { recoveryCode: created.recoveryCode }) };
  }
  const vault = await createVault(secret);
  attempt.created = vault;
  try {
    await remote.put(KEY_RING_NAME, vault.record, known?.version ?? '', signal);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.code !== 'conflict') throw error;
    // Another device has created the vault first, or an answer got lost.
    const { bytes } = await readRing(remote, signal);
    if (!isSameBytes(bytes, vault.record))
      return { keys: await openVault(bytes, secret), ring: bytes };
  }
  return { keys: vault.keys, ring: vault.record, recoveryCode: vault.recoveryCode };
}

/**
 * Changes the keys of a vault.
 *
 * @throws VaultError, RemoteError
 */
export async function changeKeys(
  remote: Remote,
  keys: VaultKeys,
  passphrase: string,
  signal: AbortSignal,
): Promise<NewVault> {
  const ring = await readRing(remote, signal);
  const vault = await rotate(keys, ring.bytes, passphrase);
  try {
    await remote.put(KEY_RING_NAME, vault.record, ring.version, signal);
  } catch (error) {
    // The server may have taken them, and only its answer got lost.
    const now = await readRing(remote, signal).catch(() => undefined);
    if (!now || !isSameBytes(now.bytes, vault.record)) throw error;
  }
  return vault;
}

/**
 * Opens the vault of a device that has joined. Whoever has the credentials can write a key ring that nobody
 * can open. The passphrase stays when the keys change, so it shows this: the ring of the device is written
 * again.
 *
 * @throws VaultError, RemoteError
 */
export async function reopen(
  remote: Remote,
  secret: string,
  { keys, ring: own }: Pick<SyncState, 'keys' | 'ring'>,
  signal: AbortSignal,
): Promise<OpenedVault> {
  const record = await remote.get(KEY_RING_NAME, signal);
  const ring = record?.bytes ?? new Uint8Array(0);
  try {
    return { keys: await openVault(ring, secret, keys), ring };
  } catch (error) {
    const isNotOpened = ['wrong-secret', 'damaged'].includes((error as VaultError).code);
    const opened = isNotOpened && own && (await openRing(own, secret, keys).catch(() => undefined));
    // An old recovery code does not open the keys after a change.
    if (!opened || opened.isByCode) throw error;
    await remote.put(KEY_RING_NAME, own, record?.version ?? '', signal);
    return { keys, ring: own };
  }
}

/**
 * Reads the key ring.
 *
 * @throws RemoteError `invalid` if the server does not have it.
 */
export async function readRing(
  remote: Remote,
  signal: AbortSignal,
): Promise<RemoteRecord & { bytes: Uint8Array }> {
  const record = await remote.get(KEY_RING_NAME, signal);
  if (!record?.bytes) throw new RemoteError('invalid', 'The server no longer has the keys.');
  return { ...record, bytes: record.bytes };
}

/** Opens the vault with the passphrase or a recovery code, otherwise with an invitation. */
async function openWith(
  { pieces }: Remote,
  secret: string,
  ring: Uint8Array,
  signal: AbortSignal,
): Promise<VaultKeys> {
  try {
    return await openVault(ring, secret);
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'wrong-secret') throw error;
    const name = await invitationName(secret).catch(() => undefined);
    const invitation = name && (await pieces.get(name, signal));
    if (!invitation) throw error;
    const keys = await acceptInvitation(secret, new Uint8Array(invitation), ring);
    await pieces.delete([{ name }], signal);
    return keys;
  }
}
