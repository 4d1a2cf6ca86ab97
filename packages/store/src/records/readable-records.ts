import type { Database } from '../database/database.js';
import { readPage } from './key-range-page.js';
import type { EntryKind, StoreSchema } from '../schema/schema.js';
import { isUnreadable, type UnreadableEntry } from '../schema/unreadable-entry.js';
import { isNoteSummary, isStoredFile } from '../schema/valid-records.js';

type Name = 'notes' | 'files';
type Direction = 'next' | 'prev';

/** The records to read. */
export interface RecordQuery<Store extends Name> {
  store: Store;
  /** The key ranges in reading order. null means no bounds. */
  ranges: readonly (IDBKeyRange | null)[];
  /** The maximum number of records. */
  count: number;
  direction: Direction;
  signal?: AbortSignal | undefined;
}

const KINDS: { [store in Name]: EntryKind } = { notes: 'note', files: 'file' };

/**
 * Reads records in one transaction, at the cost of a page. Unreadable records are skipped and reported
 * to `Database.reportUnreadable`; the others are then read in several transactions.
 */
export async function readRecords<Store extends Name>(
  database: Database,
  query: RecordQuery<Store>,
): Promise<StoreSchema[Store]['value'][]> {
  const isValid = validatorFor(query.store);
  try {
    const values = await readAtOnce(database, query);
    if (values.every(isValid)) return values;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return await readAroundUnreadable(database, query, isValid);
}

async function readAtOnce<Store extends Name>(
  database: Database,
  { store: name, ranges, count, direction, signal }: RecordQuery<Store>,
): Promise<StoreSchema[Store]['value'][]> {
  return await database.run(
    [name],
    'readonly',
    async (transaction) => {
      const store = transaction.objectStore(name) as Parameters<typeof readPage<Store>>[0];
      const values: StoreSchema[Store]['value'][] = [];
      for (const range of ranges) {
        if (values.length >= count) break;
        values.push(...(await readPage(store, range, count - values.length, direction)));
      }
      return values;
    },
    { signal },
  );
}

/** Halves the page until the unreadable record is alone, and skips it. */
async function readAroundUnreadable<Store extends Name>(
  database: Database,
  query: RecordQuery<Store>,
  isValid: (value: unknown) => value is StoreSchema[Store]['value'],
): Promise<StoreSchema[Store]['value'][]> {
  const found: StoreSchema[Store]['value'][] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const range of query.ranges) {
    let rest: IDBKeyRange | null | undefined = range;
    let step = query.count;
    while (rest !== undefined && found.length < query.count) {
      const count = Math.min(step, query.count - found.length);
      const page: Entry[] | undefined = await readStep(database, query, rest, count);
      if (!page) {
        step = Math.ceil(count / 2);
        continue;
      }
      for (const { key, value } of page) {
        if (isValid(value)) found.push(value);
        // A key that is not a string has no meaning for the caller.
        else unreadable.push({ kind: KINDS[query.store], key: typeof key === 'string' ? key : '' });
      }
      const last: Entry | undefined = page.at(-1);
      rest = last && rangeAfter(rest, last.key, query.direction);
      step = query.count;
    }
  }
  database.reportUnreadable(unreadable);
  return found;
}

interface Entry {
  key: IDBValidKey;
  /** The value; `undefined` if it cannot be read. */
  value: unknown;
}

/** The next entries; undefined if one of several cannot be read. */
async function readStep(
  database: Database,
  { store, direction, signal }: RecordQuery<Name>,
  range: IDBKeyRange | null,
  count: number,
): Promise<Entry[] | undefined> {
  let keys: IDBValidKey[] = [];
  try {
    return await database.run(
      [store],
      'readonly',
      async (transaction) => {
        const records = transaction.objectStore(store);
        keys = [];
        let cursor = await records.openKeyCursor(range, direction);
        while (cursor && keys.length < count) {
          keys.push(cursor.primaryKey);
          cursor = keys.length < count ? await cursor.continue() : null;
        }
        const values: unknown[] = await readPage(records, range, keys.length || 1, direction);
        return keys.map((key, index) => ({ key, value: values[index] }));
      },
      { signal },
    );
  } catch (error) {
    if (!isUnreadable(error) || keys.length === 0) throw error;
    return keys.length === 1 ? [{ key: keys[0]!, value: undefined }] : undefined;
  }
}

/** The part of a range after a key; undefined if that is empty. */
export function rangeAfter(
  range: IDBKeyRange | null,
  key: IDBValidKey,
  direction: Direction,
): IDBKeyRange | undefined {
  const isUp = direction === 'next';
  const bound: unknown = isUp ? range?.upper : range?.lower;
  if (bound === undefined) {
    return isUp ? IDBKeyRange.lowerBound(key, true) : IDBKeyRange.upperBound(key, true);
  }
  if (indexedDB.cmp(key, bound) === 0) return undefined;
  return isUp
    ? IDBKeyRange.bound(key, bound, true, range?.upperOpen)
    : IDBKeyRange.bound(bound, key, range?.lowerOpen, true);
}

function validatorFor<Store extends Name>(
  store: Store,
): (value: unknown) => value is StoreSchema[Store]['value'] {
  const checks: { [store in Name]: (value: unknown) => boolean } = {
    notes: isNoteSummary,
    files: isStoredFile,
  };
  return checks[store] as (value: unknown) => value is StoreSchema[Store]['value'];
}
