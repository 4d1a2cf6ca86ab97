import { countKeys, KEY_RING_NAME } from '../keys/key-ring.js';
import { RecordError } from '../keys/record-error.js';
import type { VaultKeys } from '../keys/vault-keys.js';
import type { Remote } from '../remotes/remote.js';

/** Whether keys include the newest one of the vault. Without a key ring on the server, nobody knows. */
export async function hasNewestKey(
  remote: Pick<Remote, 'get'>,
  keys: VaultKeys,
  signal: AbortSignal,
): Promise<boolean> {
  const ring = await remote.get(KEY_RING_NAME, signal);
  return ring?.bytes ? !(await hasMoreKeys(ring.bytes, keys)) : false;
}

/**
 * Checks a key ring of the server: with a newer key, another device has begun to hide what it writes from one
 * that was removed, and this device must not go on with the old key.
 *
 * @throws RecordError `unknown-key`
 */
export async function checkKeyRing(ring: Uint8Array, keys: VaultKeys): Promise<void> {
  if (await hasMoreKeys(ring, keys))
    throw new RecordError('unknown-key', 'Another device has changed the keys.');
}

const hasMoreKeys = async (ring: Uint8Array, keys: VaultKeys): Promise<boolean> =>
  (await countKeys(ring)) > keys.records.length;
