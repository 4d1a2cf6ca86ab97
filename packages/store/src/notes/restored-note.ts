import { isValid } from 'ulid';
import { StoreError } from '../errors/store-error.js';
import type { Note, NoteSummary } from '../schema/schema.js';
import { isNoteSummary } from '../schema/valid-records.js';
import { checkNewNote, newSummary, toWellFormedNote } from './note-records.js';

/**
 * The record and the text of a note that was read before it was deleted.
 *
 * @throws {StoreError} `invalid-argument` unless it is a note as `NoteStore.get` returns it.
 */
export function parseNote(read: Note): { summary: NoteSummary; text: string } {
  checkNewNote(read);
  const { title, text, tags, audience, priority } = toWellFormedNote(read);
  const { id, createdAt, updatedAt, revision } = read;
  const content = { title, text, tags, audience, priority };
  const summary = { ...newSummary(id, createdAt, content), updatedAt, revision };
  if (!isValid(id) || revision === 0 || !isNoteSummary(summary)) {
    throw new StoreError('invalid-argument', 'It is not a note as it was read.');
  }
  return { summary, text };
}
