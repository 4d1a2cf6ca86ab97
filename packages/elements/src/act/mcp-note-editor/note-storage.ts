/** The words of a note. */
export interface NoteWords {
  /** May be empty. */
  title: string;
  /** Markdown. */
  text: string;
}

/** A note as it is stored. */
export interface StoredNote extends NoteWords {
  /** What follows `note:///` in its address. */
  id: string;
  /** Grows with each change of the note. */
  revision: number;
  /** Its tags; absent without any. */
  tags?: readonly string[] | undefined;
}

/** How a note is written. */
export interface NoteWriteOptions {
  /** Writes with the same key are the same write: a storage that knows it writes only once. */
  idempotencyKey: string;
}

/**
 * Where notes are read and written. `runtime.notes` of `@inpage-mcp/runtime` is one. Calls reject with
 * an error whose `code` is `not-found` if the note does not exist, and `conflict` if it does not have
 * the expected revision.
 */
export interface NoteStorage {
  /** Reads a note as it is stored now. */
  get(id: string): Promise<StoredNote>;
  /** Changes the title and the text, unless somebody else has changed the note. */
  update(
    id: string,
    words: NoteWords,
    options: NoteWriteOptions & { expectedRevision: number },
  ): Promise<{ revision: number }>;
  /** Creates a note, for a version that has no other place. */
  create(note: NoteWords & { tags?: string[] }, options: NoteWriteOptions): Promise<{ id: string }>;
}

/** The code of a failure, such as `conflict`; `undefined` without one. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

/** Whether two versions have the same words. */
export function hasSameWords(a: NoteWords, b: NoteWords): boolean {
  return a.title === b.title && a.text === b.text;
}
