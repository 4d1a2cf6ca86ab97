import { incrementBase32 } from 'ulid';
import { MAX_NOTES_AT_ONCE, MAX_TEXT_BYTES_AT_ONCE } from '../schema/limits.js';
import { checkNewNote, type NewNote, newSummary, wellFormed } from './note-records.js';
import type { ProgressListener } from '../errors/progress.js';
import type { NoteSummary } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import type { WriteOptions } from '../schema/write-options.js';

/** How many notes are to be created at once. */
export interface CreateAllOptions extends WriteOptions {
  /**
   * Hears now and then how many notes the transaction has taken in; all of them are kept only once
   * the call has resolved. Default: nobody.
   */
  onProgress?: ProgressListener | undefined;
}

/** Notes that are to be created together. */
export interface NewNotes {
  summaries: NoteSummary[];
  texts: string[];
}

/** What a transaction gets for each note, on a slow disk, beyond what every transaction gets. */
const TIMEOUT_PER_NOTE_MS = 5;

/** How long the transaction of so many notes may take. */
export function timeoutOf(count: number): number {
  return 10_000 + count * TIMEOUT_PER_NOTE_MS;
}

/**
 * The records of new notes, made at the same moment.
 *
 * @param nextId Gives an id that directly follows the one before.
 * @throws {StoreError} `invalid-argument` unless everything is within its limits.
 */
export function newNotes(notes: unknown, now: number, nextId: () => string): NewNotes {
  if (!Array.isArray(notes)) refuse('The notes must be an array.');
  if (notes.length > MAX_NOTES_AT_ONCE) {
    refuse(`These are ${notes.length} notes; at most ${MAX_NOTES_AT_ONCE} are created at once.`);
  }
  const made: NewNotes = { summaries: [], texts: [] };
  let size = 0;
  for (const [index, given] of notes.entries()) {
    const note = checked(given, index);
    const summary = newSummary(nextId(), now, note);
    size += summary.size;
    if (size > MAX_TEXT_BYTES_AT_ONCE) {
      refuse(`The texts have more than ${MAX_TEXT_BYTES_AT_ONCE} bytes together.`);
    }
    made.summaries.push(summary);
    made.texts.push(note.text);
  }
  return made;
}

/** Gives an id, then those that follow it: notes that are created together have such. */
export function idsFrom(first: string): () => string {
  let next = first;
  return () => {
    const id = next;
    next = incrementBase32(id);
    return id;
  };
}

/** @throws {StoreError} `invalid-argument`, saying which of the notes it is. */
function checked(note: unknown, index: number): NewNote {
  if (typeof note !== 'object' || note === null) refuse(`Note ${index} is not an object.`);
  try {
    checkNewNote(note as NewNote);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.code, `Note ${index}: ${error.message}`);
  }
  return wellFormed(note as NewNote);
}

function refuse(message: string): never {
  throw new StoreError('invalid-argument', message);
}
