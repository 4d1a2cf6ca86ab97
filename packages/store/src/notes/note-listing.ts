import type { Transaction } from '../database/begin-transaction.js';
import type { Database } from '../database/database.js';
import { affectsList, type StoreChanges } from '../changes/store-changes.js';
import type { StoreScope } from '../changes/store-scope.js';
import { PageCache } from '../records/page-cache.js';
import { readRecords } from '../records/readable-records.js';
import type { Note, NoteSummary } from '../schema/schema.js';
import { noteBatches } from '../search/note-batches.js';
import { readNotes } from './notes-in-scope.js';

/** The name of a note. */
export interface NoteName {
  /** The id, a ULID. */
  id: string;
  /** The title. */
  title: string;
  /** The tags. */
  tags: readonly string[];
}

/** The number of entries that an iteration holds at a time. */
const SUMMARIES_PAGE = 1_000;

/** The newest notes of a scope after an id, at most `count`. */
export async function newestNotes(
  database: Database,
  scope: StoreScope['notes'],
  after: string | undefined,
  count: number,
  signal?: AbortSignal,
): Promise<NoteSummary[]> {
  const range = after === undefined ? null : IDBKeyRange.upperBound(after, true);
  if (scope === 'all') {
    const query = { store: 'notes', ranges: [range], count, direction: 'prev', signal } as const;
    return await readRecords(database, query);
  }
  const unreadable = (id: string): void => database.reportUnreadable([{ kind: 'note', key: id }]);
  const read = async (transaction: Transaction<['notes'], 'readonly'>) =>
    await readNotes(transaction.objectStore('notes'), scope, after, unreadable);
  const found = await database.run(['notes'], 'readonly', read, { signal });
  return found.slice(0, count);
}

/** Reads the notes that exist and can be read, in the order of the ids; see `NoteStore.getAll`. */
export async function readWholeNotes(database: Database, ids: readonly string[]): Promise<Note[]> {
  const notes = new Map<string, Note>();
  for await (const { found } of noteBatches(database, ids.toSorted())) {
    for (const { note, text } of found) {
      const isLost = text === '' && note.size > 0;
      if (isLost) database.reportUnreadable([{ kind: 'note', key: note.id }]);
      else notes.set(note.id, { ...note, text });
    }
  }
  return ids.flatMap((id) => notes.get(id) ?? []);
}

/** All notes of a scope, newest first, in arrays; see `NoteStore.summaries`. */
export async function* summariesOf(
  database: Database,
  scope: () => StoreScope['notes'],
  signal: AbortSignal | undefined,
): AsyncIterableIterator<NoteSummary[]> {
  let after: string | undefined;
  for (;;) {
    const notes = await newestNotes(database, scope(), after, SUMMARIES_PAGE, signal);
    if (notes.length > 0) yield notes;
    if (notes.length < SUMMARIES_PAGE) return;
    after = notes.at(-1)?.id;
  }
}

/**
 * A cache of the names of all notes, until a list changes.
 *
 * @param summaries Reads all notes, in arrays.
 */
export function cacheOfNames(
  summaries: (signal: AbortSignal | undefined) => AsyncIterable<NoteSummary[]>,
  changes: StoreChanges,
): PageCache<NoteName> {
  const names = new PageCache<NoteName>({
    read: (signal) => namesIn(summaries(signal)),
    lengthOf: ({ id, title, tags }) => id.length + title.length + tags.join('').length,
  });
  changes.listen((batch) => {
    if (batch.some((change) => change.kind !== 'file' && affectsList(change))) names.invalidate();
  });
  return names;
}

async function* namesIn(pages: AsyncIterable<NoteSummary[]>): AsyncIterableIterator<NoteName[]> {
  for await (const notes of pages) {
    yield notes.map(({ id, title, tags }) => ({ id, title, tags }));
  }
}
