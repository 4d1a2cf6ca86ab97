import type { Database } from '../database/database.js';
import { NOTE_PARTS } from '../notes/note-transactions.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import type { NoteSummary } from '../schema/schema.js';
import { isNoteSummary } from '../schema/valid-records.js';

/** A stored note; only its id if the note cannot be read. */
export type StoredNote = { id: string; summary: NoteSummary; text: string } | { id: string };

/** The maximum number of notes that are read in one transaction. */
const NOTES_AT_ONCE = 200;
/** The maximum total size of their texts, in bytes. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * All notes, oldest first, in batches. Record and text of a note are consistent. Notes that are
 * created or deleted during the iteration may or may not be included.
 */
export async function* storedNotes(database: Database): AsyncGenerator<StoredNote[]> {
  let range: IDBKeyRange | null = null;
  let count = NOTES_AT_ONCE;
  for (;;) {
    const notes: StoredNote[] | undefined = await readBatch(database, range, count);
    if (!notes) {
      // Repeated until the unreadable note is alone.
      count = Math.ceil(count / 2);
      continue;
    }
    const last = notes.at(-1);
    if (!last) return;
    yield notes;
    range = IDBKeyRange.lowerBound(last.id, true);
    count = Math.min(2 * count, NOTES_AT_ONCE);
  }
}

/** The first notes of a range, at most `count`; undefined if one of several cannot be read. */
async function readBatch(
  database: Database,
  range: IDBKeyRange | null,
  count: number,
): Promise<StoredNote[] | undefined> {
  let ids: string[] = [];
  try {
    return await database.run(NOTE_PARTS, 'readonly', async (transaction) => {
      const records = transaction.objectStore('notes');
      // The ids are read first, and alone, because they are needed if a record cannot be read.
      ids = await records.getAllKeys(range, count);
      const found: unknown[] = await records.getAll(range, ids.length || 1);
      if (!found.every(isNoteSummary)) return unlessSeveral(ids);
      const summaries = startOf(found);
      const [first, last] = [summaries.at(0), summaries.at(-1)];
      if (!first || !last) return [];
      const texts = transaction.objectStore('note-texts');
      const theirs = IDBKeyRange.bound(first.id, last.id);
      const [textIds, read] = await Promise.all([texts.getAllKeys(theirs), texts.getAll(theirs)]);
      const areWhole = summaries.every(
        ({ id }, index) => id === textIds[index] && typeof read[index] === 'string',
      );
      if (!areWhole || textIds.length !== summaries.length) return unlessSeveral(ids);
      return summaries.map((summary, index) => ({ id: summary.id, summary, text: read[index]! }));
    });
  } catch (error) {
    if (isUnreadable(error) && ids.length > 0) return unlessSeveral(ids);
    throw error;
  }
}

/** The note that cannot be read, if there is only one. */
function unlessSeveral(ids: readonly string[]): StoredNote[] | undefined {
  const [id] = ids;
  return id !== undefined && ids.length === 1 ? [{ id }] : undefined;
}

/** The first records whose texts fit into one batch; at least one. */
function startOf(summaries: NoteSummary[]): NoteSummary[] {
  let bytes = 0;
  const end = summaries.findIndex(({ size }, index) => {
    bytes += size;
    return index > 0 && bytes > TEXT_BYTES_AT_ONCE;
  });
  return end === -1 ? summaries : summaries.slice(0, end);
}
