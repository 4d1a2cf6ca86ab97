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
import type { Annotations, NoteSummary } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { checkNoOptions } from '../schema/write-options.js';

/** What a new note is made of. */
export interface NewNote extends Annotations {
  title: string;
  /** Markdown. */
  text: string;
  /** Default: none. */
  tags?: string[];
}

/** What is to change; what is absent stays. */
export interface NoteUpdate extends AnnotationsUpdate {
  title?: string;
  text?: string;
  tags?: string[];
}

/** A part of the list of notes, newest first. */
export interface NotePage {
  notes: NoteSummary[];
  /** Pass it as `after` to get the next page; absent at the end. */
  next?: string;
}

/** @throws {StoreError} `invalid-argument` unless everything is within its limits. */
export function checkNewNote({ title, text, tags, audience, priority }: NewNote): void {
  checkTitle(title);
  checkText(text);
  if (tags !== undefined) checkTags(tags);
  if (audience !== undefined) checkAudience(audience);
  if (priority !== undefined) checkPriority(priority);
}

/**
 * The note with U+FFFD for each half of a surrogate pair that stands alone, which is no Unicode: it
 * cannot be encoded, so that each copy of the note would be another.
 */
export function wellFormed<Given extends Pick<NoteUpdate, 'title' | 'text' | 'tags'>>(
  note: Given,
): Given {
  const { title, text, tags } = note;
  return {
    ...note,
    ...(title !== undefined && { title: title.toWellFormed() }),
    ...(text !== undefined && { text: text.toWellFormed() }),
    ...(tags !== undefined && { tags: tags.map((tag) => tag.toWellFormed()) }),
  };
}

/** @throws {StoreError} `invalid-argument` unless everything given is within its limits. */
export function checkNoteUpdate(update: NoteUpdate): void {
  checkNoOptions(update);
  if (update.title !== undefined) checkTitle(update.title);
  if (update.text !== undefined) checkText(update.text);
  if (update.tags !== undefined) checkTags(update.tags);
  checkAnnotationsUpdate(update);
}

/** What a note is to be made of, the defaults filled in, to know a retry. */
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
    // Clocks go back; what was changed later must not look older.
    updatedAt: Math.max(Date.now(), stored.updatedAt),
    revision: stored.revision + 1,
  };
  return applyAnnotations(summary, update);
}

/** Whether a list shows the two alike, but for size and time. */
export function listedAlike(a: NoteSummary, b: NoteSummary): boolean {
  return (
    a.title === b.title &&
    a.firstLine === b.firstLine &&
    sameStrings(a.tags, b.tags) &&
    sameAnnotations(a, b)
  );
}

/** The text after an addition, which starts on a line of its own. */
export function appendedText(stored: string, addition: string): string {
  const needsNewline = stored !== '' && addition !== '' && !stored.endsWith('\n');
  return stored + (needsNewline ? '\n' : '') + addition;
}

/** @throws {StoreError} `conflict` unless the note has the revision, where one is expected. */
export function checkNoteRevision(stored: NoteSummary, expected: number | undefined): void {
  if (expected === undefined || expected === stored.revision) return;
  throw new StoreError(
    'conflict',
    `The note ${stored.id} has revision ${stored.revision}, not ${expected}: read it again.`,
  );
}

/** That there is no such note. */
export function noteNotFound(id: string): StoreError {
  // An id may be anything a caller typed: never echo more of it than an id has.
  return new StoreError('not-found', `There is no note ${JSON.stringify(id.slice(0, 26))}.`);
}
