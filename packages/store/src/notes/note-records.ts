import {
  applyAnnotations,
  type AnnotationsUpdate,
  checkAnnotationsUpdate,
  sameAnnotations,
  sameStrings,
} from '../records/annotations.js';
import type { Call } from '../changes/fingerprint.js';
import { firstLineOf } from '../records/first-line.js';
import {
  checkAudience,
  checkPriority,
  checkTags,
  checkText,
  checkTitle,
  utf8Length,
} from '../schema/limits.js';
import type { Audience, NoteSummary } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { checkNoOptions } from '../schema/write-options.js';

/** The content of a new note. */
export interface NewNote {
  /** The title, at most `MAX_TITLE_LENGTH` UTF-16 code units. */
  title: string;
  /** The text, in Markdown. */
  text: string;
  /** The tags. Default: none. */
  tags?: string[] | undefined;
  /** The intended readers. Default: not set. */
  audience?: Audience[] | undefined;
  /** The importance, from 0 (least) to 1 (most). Default: not set. */
  priority?: number | undefined;
}

/** A change to a note; absent fields stay as they are. */
export interface NoteUpdate extends AnnotationsUpdate {
  /** The title, at most `MAX_TITLE_LENGTH` UTF-16 code units. */
  title?: string | undefined;
  /** The text, in Markdown. */
  text?: string | undefined;
  /** Replaces all tags. */
  tags?: string[] | undefined;
}

/** A part of the list of notes, newest first. */
export interface NotePage {
  /** The notes, without their texts. */
  notes: NoteSummary[];
  /** Pass it as `after` to get the next page; absent at the end. */
  next?: string;
}

/** @throws {StoreError} `invalid-argument` if a limit is exceeded. */
export function checkNewNote({ title, text, tags, audience, priority }: NewNote): void {
  checkTitle(title);
  checkText(text);
  if (tags !== undefined) checkTags(tags);
  if (audience !== undefined) checkAudience(audience);
  if (priority !== undefined) checkPriority(priority);
}

/**
 * Replaces each lone surrogate in a note by U+FFFD. A lone surrogate cannot be encoded, so copies
 * of the note would differ from it.
 */
export function toWellFormedNote<Content extends Pick<NoteUpdate, 'title' | 'text' | 'tags'>>(
  note: Content,
): Content {
  const { title, text, tags } = note;
  return {
    ...note,
    ...(title !== undefined && { title: title.toWellFormed() }),
    ...(text !== undefined && { text: text.toWellFormed() }),
    ...(tags !== undefined && { tags: tags.map((tag) => tag.toWellFormed()) }),
  };
}

/** @throws {StoreError} `invalid-argument` if a limit is exceeded. */
export function checkNoteUpdate(update: NoteUpdate): void {
  checkNoOptions(update);
  if (update.title !== undefined) checkTitle(update.title);
  if (update.text !== undefined) checkText(update.text);
  if (update.tags !== undefined) checkTags(update.tags);
  checkAnnotationsUpdate(update);
}

/** The arguments of a write, with defaults filled in, to recognize a retry. */
export function argumentsOf({ title, text, tags = [], audience, priority }: NewNote): Call['args'] {
  return { title, text, tags, audience, priority };
}

/** The record of a new note. */
export function newSummary(
  id: string,
  now: number,
  { title, text, tags = [], ...annotations }: NewNote,
): NoteSummary {
  const summary: NoteSummary = {
    id,
    title,
    tags: [...tags],
    firstLine: firstLineOf(text),
    size: utf8Length(text),
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
  return applyAnnotations(summary, annotations);
}

/** The record after an update. */
export function updatedSummary(stored: NoteSummary, update: NoteUpdate): NoteSummary {
  const { title = stored.title, text, tags = stored.tags } = update;
  const summary: NoteSummary = {
    ...stored,
    title,
    tags: [...tags],
    ...(text !== undefined && { firstLine: firstLineOf(text), size: utf8Length(text) }),
    // The clock may be set back, but a later change must not look older.
    updatedAt: Math.max(Date.now(), stored.updatedAt),
    revision: stored.revision + 1,
  };
  return applyAnnotations(summary, update);
}

/** Whether two records look the same in a list, apart from size and time. */
export function haveSameListing(a: NoteSummary, b: NoteSummary): boolean {
  return (
    a.title === b.title &&
    a.firstLine === b.firstLine &&
    sameStrings(a.tags, b.tags) &&
    sameAnnotations(a, b)
  );
}

/** Appends text on a new line. */
export function appendText(stored: string, addition: string): string {
  const needsNewline = stored !== '' && addition !== '' && !stored.endsWith('\n');
  return stored + (needsNewline ? '\n' : '') + addition;
}

/** @throws {StoreError} `conflict` if a revision is expected and the note has another one. */
export function checkNoteRevision(stored: NoteSummary, expected: number | undefined): void {
  if (expected === undefined || expected === stored.revision) return;
  throw new StoreError(
    'conflict',
    `The note ${stored.id} has revision ${stored.revision}, not ${expected}: read it again.`,
  );
}

/** Creates the error for a note that does not exist. */
export function noteNotFound(id: string): StoreError {
  // An id may be any string from a caller: echo at most the length of an id.
  return new StoreError('not-found', `There is no note ${JSON.stringify(id.slice(0, 26))}.`);
}
