import { ToolError } from '@inpage-mcp/protocol';
import type { NoteStore, NoteSummary, StoreScope } from '@inpage-mcp/store';
import { ignoreNotFound } from '../resources/ignore-not-found.js';
import { quote } from '../resources/quote.js';
import { momentOf } from '../resources/resource-annotations.js';
import { noteUri, parseNoteName } from '../resources/resource-uris.js';
import * as fields from './tool-schemas.js';

/** The text that is added to the error if a note does not exist. */
export const NOTE_ADVICE = 'Find the note with search_notes or in the list of resources.';

/** The members of a note in every output. */
export const noteFacts = {
  id: fields.text,
  uri: fields.text,
  title: fields.text,
  tags: { type: 'array', items: fields.text },
  revision: fields.revision,
  updatedAt: fields.moment,
} as const;

/** The output for a note. */
export function noteFactsOf({ id, title, tags, revision, updatedAt }: NoteSummary) {
  return { id, uri: noteUri(id), title, tags, revision, updatedAt: momentOf(updatedAt) };
}

/** The id of a note that is given by its id or uri. An invalid id is rejected without a lookup. */
export function idOf(idOrUri: string): string {
  const id = parseNoteName(idOrUri);
  if (id !== undefined) return id;
  throw new ToolError(`There is no note ${quote(idOrUri)}. ${NOTE_ADVICE}`);
}

/** Describes a note for a question to the user; an unreadable note only by its uri. */
export async function describeNote(notes: NoteStore, id: string): Promise<string> {
  const note = await ignoreNotFound(notes.get(id), ['unreadable']);
  const uri = noteUri(id);
  return note ? `the note ${quote(note.title || 'Untitled note')} (${uri})` : `the note ${uri}`;
}

/** Whether a part of the store may contain a note. */
export function hasNotes({ notes }: StoreScope): boolean {
  return notes === 'all' || notes.size > 0;
}
