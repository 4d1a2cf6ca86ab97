import type { Database } from '../database/database.js';
import { NOTE_PARTS } from '../notes/note-transactions.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import type { NoteSummary } from '../schema/schema.js';
import { isNoteSummary } from '../schema/valid-records.js';

/** A stored note; only its id if it cannot be read. */
export type StoredNote = { id: string; summary: NoteSummary; text: string } | { id: string };

/** How many notes are read in one transaction, */
const NOTES_AT_ONCE = 200;
/** unless their texts have more bytes together. */
const TEXT_BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * All notes, oldest first, in batches. Record and text of a note are consistent. Notes that are
 * created or deleted during the iteration may or may not be included.
 */
export async function* storedNotes(database: Database): AsyncGenerator<StoredNote[]> {
  let after: string | undefined;
  for (;;) {
    const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
    const notes = (await readTogether(database, range)) ?? (await readEach(database, range));
    const last = notes.at(-1);
    if (!last) return;
    yield notes;
    after = last.id;
  }
}

/** The first notes of a range; undefined if one of them cannot be read. */
async function readTogether(
  database: Database,
  range: IDBKeyRange | null,
): Promise<StoredNote[] | undefined> {
  try {
    return await database.run(NOTE_PARTS, 'readonly', async (transaction) => {
      const all = await transaction.objectStore('notes').getAll(range, NOTES_AT_ONCE);
      if (!all.every(isNoteSummary)) return undefined;
      const summaries = startOf(all);
      const [first, last] = [summaries.at(0), summaries.at(-1)];
      if (!first || !last) return [];
      const texts = transaction.objectStore('note-texts');
      const theirs = IDBKeyRange.bound(first.id, last.id);
      const [ids, read] = await Promise.all([texts.getAllKeys(theirs), texts.getAll(theirs)]);
      const areWhole = summaries.every(
        ({ id }, index) => id === ids[index] && typeof read[index] === 'string',
      );
      if (!areWhole || ids.length !== summaries.length) return undefined;
      return summaries.map((summary, index) => ({ id: summary.id, summary, text: read[index]! }));
    });
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
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

/** Reads the first notes of a range one by one. */
async function readEach(database: Database, range: IDBKeyRange | null): Promise<StoredNote[]> {
  const ids = await database.run(['notes'], 'readonly', (transaction) =>
    transaction.objectStore('notes').getAllKeys(range, NOTES_AT_ONCE),
  );
  const notes: StoredNote[] = [];
  let bytes = 0;
  for (const id of ids) {
    const note = await readOne(database, id);
    if (note) notes.push(note);
    if (note && 'text' in note) bytes += note.summary.size;
    if (bytes > TEXT_BYTES_AT_ONCE) return notes;
  }
  // If all of them were deleted since, the next ones are read.
  const last = ids.at(-1);
  if (notes.length === 0 && last !== undefined) {
    return await readEach(database, IDBKeyRange.lowerBound(last, true));
  }
  return notes;
}

/** Undefined if the note was deleted since. */
async function readOne(database: Database, id: string): Promise<StoredNote | undefined> {
  try {
    return await database.run(NOTE_PARTS, 'readonly', async (transaction) => {
      const [summary, text] = await Promise.all([
        transaction.objectStore('notes').get(id),
        transaction.objectStore('note-texts').get(id),
      ]);
      if (summary === undefined && text === undefined) return undefined;
      return isNoteSummary(summary) && typeof text === 'string' ? { id, summary, text } : { id };
    });
  } catch (error) {
    if (isUnreadable(error)) return { id };
    throw error;
  }
}
