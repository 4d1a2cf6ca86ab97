import { countKeys, haveSameOlderKeys, KEY_RING_NAME } from '../keys/key-ring.js';
import { RecordError } from '../keys/record-error.js';
import type { VaultKeys } from '../keys/vault-keys.js';
import type { Remote } from '../remotes/remote.js';
import type { SyncState } from './sync-state.js';

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
 * Checks a key ring of the server: with another newest key, a device has begun to hide what it writes from one
 * that was removed, and this device must not go on with its own.
 *
 * @throws RecordError `unknown-key`
 */
export async function checkKeyRing(
  ring: Uint8Array,
  { keys, ring: own = ring }: Pick<SyncState, 'keys' | 'ring'>,
): Promise<void> {
  if ((await hasMoreKeys(ring, keys)) || !(await haveSameOlderKeys(ring, own)))
    throw new RecordError('unknown-key', 'Another device has changed the keys.');
}

const hasMoreKeys = async (ring: Uint8Array, keys: VaultKeys): Promise<boolean> =>
  (await countKeys(ring)) > keys.records.length;
