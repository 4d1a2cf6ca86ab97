import { unwrap } from 'idb';
import type { Transaction } from '../database/begin-transaction.js';
import type { NewNotes } from './new-notes.js';
import {
  checkNoteRevision,
  listedAlike,
  noteNotFound,
  type NoteUpdate,
  updatedSummary,
} from './note-records.js';
import type { NoteSummary, StoreChange } from '../schema/schema.js';
import { unreadableError } from '../schema/unreadable-entry.js';
import { isNoteSummary } from '../schema/valid-records.js';

/** The object stores that hold a note. */
export const NOTE_PARTS: ('notes' | 'note-texts')[] = ['notes', 'note-texts'];

/** A transaction over whole notes. */
export type NoteTransaction<Mode extends IDBTransactionMode> = Transaction<typeof NOTE_PARTS, Mode>;

/** How many notes of many are written in one turn of the thread. */
const NOTES_AT_ONCE = 250;

/** What a write did to a note that is still there. */
export interface NoteEffect {
  result: NoteSummary;
  text: string;
  changes: StoreChange[];
}

/** Record and text of one moment; rejects with `not-found` or `unreadable`. */
export async function readNote(
  transaction: NoteTransaction<IDBTransactionMode>,
  id: string,
): Promise<{ summary: NoteSummary; text: string }> {
  const [summary, text] = await Promise.all([
    readSummary(transaction, id),
    readText(transaction, id),
  ]);
  if (typeof text !== 'string') throw unreadableError({ kind: 'note', key: id });
  return { summary, text };
}

async function readText(
  transaction: NoteTransaction<IDBTransactionMode>,
  id: string,
): Promise<unknown> {
  return await transaction.objectStore('note-texts').get(id);
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
  // `add`, not `put`: should two tabs ever draw the same id, the second fails and loses nothing.
  unwrap(transaction.objectStore('notes')).add(summary);
  unwrap(transaction.objectStore('note-texts')).add(text, summary.id);
  return { result: summary, text, changes: [noteChange(summary.id, 'created', true)] };
}

/**
 * Writes new notes, without a word about each: a request that fails aborts the transaction. It gives
 * way now and then, so that this thread answers others meanwhile.
 *
 * @param ontaken Hears now and then how many of them the transaction has taken in.
 */
export async function addNotes(
  transaction: NoteTransaction<'readwrite'>,
  { summaries, texts }: NewNotes,
  ontaken?: (count: number) => void,
): Promise<{ result: NoteSummary; changes: StoreChange[] }> {
  const store = transaction.objectStore('note-texts');
  // Past the promises, of which three for each note cost more than the writing.
  const notes = unwrap(transaction.objectStore('notes'));
  const contents = unwrap(store);
  let before: Promise<number> | undefined;
  for (let start = 0; start < summaries.length; start += NOTES_AT_ONCE) {
    const end = Math.min(start + NOTES_AT_ONCE, summaries.length);
    for (let index = start; index < end - 1; index++) {
      notes.add(summaries[index]!);
      contents.add(texts[index]!, summaries[index]!.id);
    }
    const last = summaries[end - 1]!;
    notes.add(last);
    const taken = store.add(texts[end - 1]!, last.id).then(() => end);
    // Where it fails while the one before is awaited, that fails as well.
    taken.catch(() => undefined);
    // One step behind, so that the browser always has the next before it is done with one.
    const count = await before;
    if (count !== undefined) ontaken?.(count);
    before = taken;
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
 * Reads a note and writes what `textOf` makes of its text; rejects with `not-found`, `conflict`,
 * `unreadable`, or with what `textOf` throws.
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

/** @param text What the note's text is afterwards. */
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
  const changes = [noteChange(id, 'updated', !listedAlike(summary, result))];
  return { result, text, changes };
}

/** Deletes a note; rejects with `not-found` or `conflict`. */
export async function removeNote(
  transaction: NoteTransaction<'readwrite'>,
  id: string,
  expectedRevision: number | undefined,
): Promise<{ result: null; changes: StoreChange[] }> {
  const stored: unknown = await transaction.objectStore('notes').get(id);
  if (stored === undefined) throw noteNotFound(id);
  // What cannot be read can be deleted.
  if (isNoteSummary(stored)) checkNoteRevision(stored, expectedRevision);
  unwrap(transaction.objectStore('notes')).delete(id);
  unwrap(transaction.objectStore('note-texts')).delete(id);
  return { result: null, changes: [noteChange(id, 'deleted', true)] };
}

/** What is told of a note. */
export function noteChange(
  key: string,
  type: StoreChange['type'],
  listingChanged: boolean,
): StoreChange {
  return { kind: 'note', key, type, listingChanged };
}
