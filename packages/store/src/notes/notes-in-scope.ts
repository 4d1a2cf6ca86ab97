import type { IDBPObjectStore } from 'idb';
import type { Database } from '../database/database.js';
import { currentHead } from '../changes/journal.js';
import type { NoteSummary, StoreSchema } from '../schema/schema.js';
import type { StoreScope } from '../changes/store-scope.js';
import { isNoteSummary } from '../schema/valid-records.js';

type Notes = IDBPObjectStore<StoreSchema, ArrayLike<'notes' | 'note-texts'>, 'notes'>;

/**
 * Reads the notes that exist and are readable, newest first.
 *
 * @param after Only notes older than this one. Default: all.
 * @param onunreadable Called with the id of each unreadable note. Default: none.
 */
export async function readNotes(
  store: Pick<Notes, 'get'>,
  ids: ReadonlySet<string>,
  after?: string,
  onunreadable?: (id: string) => void,
): Promise<NoteSummary[]> {
  const wanted = [...ids].filter((id) => after === undefined || id < after);
  const found: unknown[] = await Promise.all(wanted.map((id) => store.get(id)));
  for (const [index, id] of wanted.entries()) {
    if (found[index] !== undefined && !isNoteSummary(found[index])) onunreadable?.(id);
  }
  return found.filter(isNoteSummary).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** The number of notes in a scope. */
export async function countNotes(
  database: Database,
  notes: StoreScope['notes'],
  signal?: AbortSignal,
): Promise<number> {
  const options = { signal };
  if (notes === 'all') return (await currentHead(database, options)).notes;
  return await database.run(
    ['notes'],
    'readonly',
    async (transaction) => (await readNotes(transaction.objectStore('notes'), notes)).length,
    options,
  );
}
