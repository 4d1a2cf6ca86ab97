import { incrementBase32 } from 'ulid';
import { MAX_NOTES_AT_ONCE, MAX_TEXT_BYTES_AT_ONCE } from '../schema/limits.js';
import { checkNewNote, type NewNote, newSummary, toWellFormedNote } from './note-records.js';
import type { ProgressListener } from '../errors/progress.js';
import type { NoteSummary } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { WriteOptions } from '../schema/write-options.js';

/** Options of `NoteStore.createAll`. */
export interface CreateAllOptions extends WriteOptions {
  /**
   * Called at intervals with the number of notes that the transaction has accepted; they are stored only once
   * the call has resolved. Default: none.
   */
  onProgress?: ProgressListener | undefined;
}

/** Notes that are to be created together. */
export interface NewNotes {
  summaries: NoteSummary[];
  texts: string[];
}

/** The number of notes from which on a transaction takes long. */
export const LARGE_COUNT = 1_000;

/** The additional time for each note, for slow disks. */
const TIMEOUT_PER_NOTE_MS = 5;

/** The timeout of a transaction of `count` notes, in milliseconds. */
export function timeoutOf(count: number): number {
  return 10_000 + count * TIMEOUT_PER_NOTE_MS;
}

/**
 * Creates the records of new notes with the same time.
 *
 * @param nextId Returns an id that directly follows the previous one.
 * @throws {StoreError} `invalid-argument` if a limit is exceeded.
 */
export function newNotes(notes: unknown, now: number, nextId: () => string): NewNotes {
  if (!Array.isArray(notes)) refuse('The notes must be an array.');
  if (notes.length > MAX_NOTES_AT_ONCE) {
    refuse(
      `The array has ${notes.length} notes; at most ${MAX_NOTES_AT_ONCE} are created at once.`,
    );
  }
  const created: NewNotes = { summaries: [], texts: [] };
  let size = 0;
  for (const [index, value] of notes.entries()) {
    const note = parseNote(value, index);
    const summary = newSummary(nextId(), now, note);
    size += summary.size;
    if (size > MAX_TEXT_BYTES_AT_ONCE) {
      refuse(`The texts have more than ${MAX_TEXT_BYTES_AT_ONCE} bytes in total.`);
    }
    created.summaries.push(summary);
    created.texts.push(note.text);
  }
  return created;
}

/** Generates the ids of notes that are created together: the first id, then the following ones. */
export function idsFrom(first: string): () => string {
  let next = first;
  return () => {
    const id = next;
    next = incrementBase32(id);
    return id;
  };
}

/**
 * Checks a new note.
 *
 * @throws {StoreError} `invalid-argument`; the message names the index of the note.
 */
function parseNote(note: unknown, index: number): NewNote {
  if (typeof note !== 'object' || note === null) refuse(`Note ${index} is not an object.`);
  try {
    checkNewNote(note as NewNote);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.code, `Note ${index}: ${error.message}`);
  }
  return toWellFormedNote(note as NewNote);
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
