import { wrap } from 'idb';
import type { EntryKey } from '../schema/schema.js';

/** The key of a note or a file, or of a record about one. */
type StoreKey = string | EntryKey;

/**
 * The values of keys, in their order. Two requests read them if no other keys lie between them, as with
 * entries that are listed one after the other: a request takes as long as several values.
 */
export async function getEach<Key extends StoreKey, Value>(
  store: {
    get(key: Key): Promise<Value | undefined>;
    getAllKeys(range: IDBKeyRange, count: number): Promise<Key[]>;
    getAll(range: IDBKeyRange, count: number): Promise<Value[]>;
  },
  keys: readonly Key[],
): Promise<(Value | undefined)[]> {
  const count = keys.length;
  if (count > 2) {
    const range = rangeOf(keys);
    const found = await store.getAllKeys(range, count + 1);
    if (found.length <= count) {
      const values = found.length > 0 ? await store.getAll(range, count) : [];
      const known = new Map(found.map((key, index) => [String(key), values[index]]));
      return keys.map((key) => known.get(String(key)));
    }
  }
  return await Promise.all(keys.map((key) => store.get(key)));
}

/** Deletes keys that exist, in one request if no others lie between them. */
export async function deleteEach(store: IDBObjectStore, keys: readonly StoreKey[]): Promise<void> {
  const range = keys.length > 2 ? rangeOf(keys) : undefined;
  const isAll = range && (await wrap(store.count(range))) === new Set(keys.map(String)).size;
  if (isAll) store.delete(range);
  else for (const key of keys) store.delete(key);
}

function rangeOf(keys: readonly StoreKey[]): IDBKeyRange {
  const sorted = keys.toSorted((a, b) => indexedDB.cmp(a, b));
  return IDBKeyRange.bound(sorted[0], sorted.at(-1));
}
