import type { IDBPObjectStore, StoreNames } from 'idb';
import type { OnceRecord, StoreSchema } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';

/** The lifetime of an idempotency key, in milliseconds. A later retry writes again. */
export const IDEMPOTENCY_KEY_TTL_MS = 24 * 60 * 60 * 1000;

/** The maximum number of expired keys that one write deletes, so that no write has to delete thousands. */
const MAX_DELETED_KEYS = 100;

/** The object store of the keys, inside the transaction of a write. */
export type IdempotencyKeyStore = IDBPObjectStore<
  StoreSchema,
  StoreNames<StoreSchema>[],
  'once',
  'readwrite'
>;

/**
 * Finds the record of an earlier write with the key; undefined if none exists, or if it has expired.
 *
 * @param known The key without the prefix of its holder, for the error text. Default: the same.
 * @throws {StoreError} `conflict` if the key was used for another write.
 */
export async function findEarlierWrite(
  store: Pick<IdempotencyKeyStore, 'get'>,
  key: string,
  fingerprint: string,
  known: string = key,
): Promise<OnceRecord | undefined> {
  const earlier = await store.get(key);
  if (!earlier || earlier.at <= newestExpired()) return undefined;
  if (earlier.fingerprint === fingerprint) return earlier;
  throw new StoreError(
    'conflict',
    `The idempotency key ${JSON.stringify(known)} was used for another write. Use a new key for each write, and the same key and arguments for its retries.`,
  );
}

/** Stores the outcome of a write for its retries, and deletes some expired keys. */
export async function saveOutcome(
  store: IdempotencyKeyStore,
  record: Omit<OnceRecord, 'at'>,
): Promise<void> {
  const expired = IDBKeyRange.upperBound(newestExpired());
  const keys = await store.index('by-time').getAllKeys(expired, MAX_DELETED_KEYS);
  await Promise.all(keys.map((key) => store.delete(key)));
  await store.put({ ...record, at: Date.now() });
}

function newestExpired(): number {
  return Date.now() - IDEMPOTENCY_KEY_TTL_MS;
}
