import { unwrap } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { NewNotes } from './new-notes.js';
import {
  checkNoteRevision,
  haveSameListing,
  noteNotFound,
  type NoteUpdate,
  updatedSummary,
} from './note-records.js';
import { StoreError } from '../errors/store-error.js';
import type { NoteSummary, StoreChange } from '../schema/schema.js';
import { unreadableError } from '../schema/unreadable-entry.js';
import { getEach } from '../records/many-keys.js';
import { isNoteSummary } from '../schema/valid-records.js';

/** The object stores that hold a note. */
export const NOTE_PARTS: ('notes' | 'note-texts')[] = ['notes', 'note-texts'];

/** A transaction over whole notes. */
export type NoteTransaction<Mode extends IDBTransactionMode> = Transaction<typeof NOTE_PARTS, Mode>;

/** The number of notes that `addNotes` writes before it yields the thread. */
const NOTES_AT_ONCE = 250;

/** The effect of a write that did not delete the note. */
export interface NoteEffect {
  result: NoteSummary;
  text: string;
  changes: StoreChange[];
}

/** Reads records and texts, in the order of the ids; rejects with `unreadable`. */
export async function readNotes(
  transaction: NoteTransaction<IDBTransactionMode>,
  ids: readonly string[],
): Promise<({ summary: NoteSummary; text: string } | undefined)[]> {
  const [summaries, texts] = await Promise.all([
    getEach<string, unknown>(transaction.objectStore('notes'), ids),
    getEach<string, unknown>(transaction.objectStore('note-texts'), ids),
  ]);
  return ids.map((id, index) => noteOf(id, summaries[index], texts[index]));
}

/** Reads record and text consistently; rejects with `not-found` or `unreadable`. */
export async function readNote(
  transaction: NoteTransaction<IDBTransactionMode>,
  id: string,
): Promise<{ summary: NoteSummary; text: string }> {
  const [summary, text] = await Promise.all([
    transaction.objectStore('notes').get(id),
    transaction.objectStore('note-texts').get(id),
  ]);
  const note = noteOf(id, summary, text);
  if (note) return note;
  throw noteNotFound(id);
}

function noteOf(
  id: string,
  summary: unknown,
  text: unknown,
): { summary: NoteSummary; text: string } | undefined {
  if (summary === undefined) return undefined;
  if (isNoteSummary(summary) && typeof text === 'string') return { summary, text };
  throw unreadableError({ kind: 'note', key: id });
}

async function readSummary(
  transaction: NoteTransaction<IDBTransactionMode>,
  id: string,
): Promise<NoteSummary> {
  const summary: unknown = await transaction.objectStore('notes').get(id);
  if (summary === undefined) throw noteNotFound(id);
  if (!isNoteSummary(summary)) throw unreadableError({ kind: 'note', key: id });
  return summary;
}

/** Writes a new note. */
export async function addNote(
  transaction: NoteTransaction<'readwrite'>,
  summary: NoteSummary,
  text: string,
): Promise<NoteEffect> {
  // `add`, not `put`: if two tabs ever generate the same id, the second write fails, without loss.
  unwrap(transaction.objectStore('notes')).add(summary);
  unwrap(transaction.objectStore('note-texts')).add(text, summary.id);
  return { result: summary, text, changes: [noteChange(summary.id, 'created', true)] };
}

/** Writes a note that was deleted; rejects with `conflict` if a note has its id. */
export async function restoreNote(
  transaction: NoteTransaction<'readwrite'>,
  summary: NoteSummary,
  text: string,
): Promise<NoteEffect> {
  const { id } = summary;
  if ((await transaction.objectStore('notes').count(id)) > 0) {
    throw new StoreError('conflict', `There is a note ${id}.`);
  }
  return await addNote(transaction, summary, text);
}

/**
 * Writes new notes without awaiting each request: a request that fails aborts the transaction. It
 * yields at intervals, so that the thread can answer other calls.
 *
 * @param onProgress Called at intervals with the number of notes that the transaction has accepted.
 */
export async function addNotes(
  transaction: NoteTransaction<'readwrite'>,
  { summaries, texts }: NewNotes,
  onProgress?: (count: number) => void,
): Promise<{ result: NoteSummary; changes: StoreChange[] }> {
  const store = transaction.objectStore('note-texts');
  // Without promises, because three for each note would cost more than the writing.
  const notes = unwrap(transaction.objectStore('notes'));
  const contents = unwrap(store);
  let previous: Promise<number> | undefined;
  for (let start = 0; start < summaries.length; start += NOTES_AT_ONCE) {
    const end = Math.min(start + NOTES_AT_ONCE, summaries.length);
    for (let index = start; index < end - 1; index++) {
      notes.add(summaries[index]!);
      contents.add(texts[index]!, summaries[index]!.id);
    }
    const last = summaries[end - 1]!;
    notes.add(last);
    const request = store.add(texts[end - 1]!, last.id).then(() => end);
    // If this request fails while the previous one is awaited, the previous one fails as well.
    request.catch(() => undefined);
    // Awaits one step behind, so that the browser always has the next requests in its queue.
    const count = await previous;
    if (count !== undefined) onProgress?.(count);
    previous = request;
  }
  const changes = summaries.map(({ id }) => noteChange(id, 'created', true));
  return { result: summaries[0]!, changes };
}

/** Changes a note; rejects with `not-found`, `conflict` or `unreadable`. */
export async function changeNote(
  transaction: NoteTransaction<'readwrite'>,
  id: string,
  expectedRevision: number | undefined,
  update: NoteUpdate,
): Promise<NoteEffect> {
  // A text that is replaced is not read: it may be large, or damaged.
  const { summary, text } =
    update.text === undefined
      ? await readNote(transaction, id)
      : { summary: await readSummary(transaction, id), text: update.text };
  checkNoteRevision(summary, expectedRevision);
  return writeUpdate(transaction, summary, text, update);
}

/**
 * Reads a note, and writes the text that `textOf` returns for its text. Rejects with `not-found`, `conflict`,
 * `unreadable`, or with the error that `textOf` throws.
 */
export async function rewriteNote(
  transaction: NoteTransaction<'readwrite'>,
  id: string,
  expectedRevision: number | undefined,
  textOf: (text: string) => string,
): Promise<NoteEffect> {
  const { summary, text: stored } = await readNote(transaction, id);
  checkNoteRevision(summary, expectedRevision);
  const text = textOf(stored);
  return writeUpdate(transaction, summary, text, { text });
}

/** @param text The note's text after the update. */
function writeUpdate(
  transaction: NoteTransaction<'readwrite'>,
  summary: NoteSummary,
  text: string,
  update: NoteUpdate,
): NoteEffect {
  const { id } = summary;
  const result = updatedSummary(summary, update);
  unwrap(transaction.objectStore('notes')).put(result);
  if (update.text !== undefined) unwrap(transaction.objectStore('note-texts')).put(update.text, id);
  const changes = [noteChange(id, 'updated', !haveSameListing(summary, result))];
  return { result, text, changes };
}

/** Deletes a note; rejects with `not-found` or `conflict`. */
export async function removeNote(
  transaction: NoteTransaction<'readwrite'>,
  id: string,
  expectedRevision: number | undefined,
): Promise<{ result: NoteSummary | null; changes: StoreChange[] }> {
  const stored: unknown = await transaction.objectStore('notes').get(id);
  if (stored === undefined) throw noteNotFound(id);
  // An unreadable note can be deleted.
  const result = isNoteSummary(stored) ? stored : null;
  if (result) checkNoteRevision(result, expectedRevision);
  unwrap(transaction.objectStore('notes')).delete(id);
  unwrap(transaction.objectStore('note-texts')).delete(id);
  const change = noteChange(id, 'deleted', true);
  return { result, changes: [result ? { ...change, revision: result.revision } : change] };
}

/** The change event of a note. */
export function noteChange(
  key: string,
  type: StoreChange['type'],
  listingChanged: boolean,
): StoreChange {
  return { kind: 'note', key, type, listingChanged };
}
