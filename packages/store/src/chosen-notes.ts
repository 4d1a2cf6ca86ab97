import type { IDBPObjectStore } from 'idb';
import type { Database } from './database.js';
import type { NoteSummary, StoreSchema } from './schema.js';
import type { StoreScope } from './store-scope.js';

type Notes = IDBPObjectStore<StoreSchema, ArrayLike<'notes' | 'note-texts'>, 'notes'>;

/**
 * Those of some notes that exist, newest first.
 *
 * @param before Only older ones. Default: all.
 */
export async function readNotes(
  store: Pick<Notes, 'get'>,
  ids: ReadonlySet<string>,
  before?: string,
): Promise<NoteSummary[]> {
  const wanted = [...ids].filter((id) => before === undefined || id < before);
  const found = await Promise.all(wanted.map((id) => store.get(id)));
  return found.filter((note) => note !== undefined).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** How many notes of a scope there are. */
export async function countNotes(
  database: Database,
  notes: StoreScope['notes'],
  signal?: AbortSignal,
): Promise<number> {
  return await database.run(
    ['notes'],
    'readonly',
    async (transaction) => {
      const store = transaction.objectStore('notes');
      return notes === 'all' ? await store.count() : (await readNotes(store, notes)).length;
    },
    { signal },
  );
}
