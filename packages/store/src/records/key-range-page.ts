import type { IDBPObjectStore, StoreNames } from 'idb';
import type { StoreSchema } from '../schema/schema.js';

/** An object store inside a transaction of any mode and scope. */
type ReadableStore<Name extends StoreNames<StoreSchema>> = IDBPObjectStore<
  StoreSchema,
  StoreNames<StoreSchema>[],
  Name,
  IDBTransactionMode
>;

/**
 * Reads at most `count` values of a key range, in the given direction. The cost depends on the page, not
 * on the size of the store.
 */
export async function readPage<Name extends StoreNames<StoreSchema>>(
  store: ReadableStore<Name>,
  range: IDBKeyRange | null,
  count: number,
  direction: 'next' | 'prev',
): Promise<StoreSchema[Name]['value'][]> {
  if (direction === 'next') return await store.getAll(range, count);
  if (takesDirection(store)) return await store.getAll({ query: range, count, direction });
  return await readPageByCursor(store, range, count, direction);
}

/** Reads the same with a cursor, several times slower, for browsers whose `getAll` is only ascending. */
export async function readPageByCursor<Name extends StoreNames<StoreSchema>>(
  store: ReadableStore<Name>,
  range: IDBKeyRange | null,
  count: number,
  direction: 'next' | 'prev',
): Promise<StoreSchema[Name]['value'][]> {
  const values: StoreSchema[Name]['value'][] = [];
  let cursor = await store.openCursor(range, direction);
  while (cursor && values.length < count) {
    values.push(cursor.value);
    // The cursor continues only when needed: a `continue` past the page would read one record too many.
    cursor = values.length < count ? await cursor.continue() : null;
  }
  return values;
}

interface DirectedGetAll<Value> {
  getAll(options: {
    query: IDBKeyRange | null;
    count: number;
    direction: 'prev';
  }): Promise<Value[]>;
}

/** Whether `getAll` takes an options object, as in the browsers that have `getAllRecords` (IndexedDB 3.0). */
function takesDirection(store: object): store is DirectedGetAll<never> {
  return 'getAllRecords' in store;
}
