import { countKeys } from '../keys/key-ring.js';
import { isSameBytes } from '../keys/bytes.js';
import { RecordError } from '../keys/record-error.js';
import type { SyncState } from './sync-state.js';

/**
 * Checks a key ring of the server: with another newest key, a device has begun to hide what it writes from one
 * that was removed, and this device must not go on with its own. The same number of keys in other bytes is
 * that, too, or a ring that nobody can open: the passphrase tells.
 *
 * @throws RecordError `unknown-key`
 */
export async function checkKeyRing(
  ring: Uint8Array,
  { keys, ring: own = ring }: Pick<SyncState, 'keys' | 'ring'>,
): Promise<void> {
  const count = await countKeys(ring);
  const isOther = count === keys.records.length && !isSameBytes(ring, own);
  if (count > keys.records.length || isOther)
    throw new RecordError('unknown-key', 'Another device has changed the keys.');
}
