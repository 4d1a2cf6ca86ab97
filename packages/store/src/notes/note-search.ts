import { checkMatchLimit, checkQuery, checkTag } from '../schema/limits.js';
import type { NoteSummary } from '../schema/schema.js';
import { excerptOf } from '../search/words/excerpt.js';
import type { SearchIndex } from '../search/search-index.js';
import { NOTES } from '../search/sources.js';
import { termsOf } from '../search/words/terms.js';
import type { StoreScope } from '../changes/store-scope.js';

/** A note that a search has found. */
export interface NoteMatch {
  note: NoteSummary;
  /**
   * Some 200 code units of the text around the first matching word, on one line. If the words occur
   * only in the title, in tags, or after the first million code units, the note's `firstLine`.
   */
  excerpt: string;
}

/** The result of a search. */
export interface NoteMatches {
  /** Best first, at most `limit`. */
  matches: NoteMatch[];
  /**
   * How many notes match; `matches` may hold fewer. An unreadable note may be counted if it does
   * not rank among the matches.
   */
  total: number;
}

/** Options of a search. */
export interface NoteSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number | undefined;
  /** Only notes with exactly this tag. Default: all. */
  tag?: string | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * Called with how many of all notes have been searched: more each time, and all at the end. It is
   * called only once if the index is up to date, and never if there is nothing to search. If it
   * throws, the search rejects.
   */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Searches the notes of a scope; see `NoteStore.search`. */
export async function searchNotes(
  index: SearchIndex,
  query: string,
  scope: StoreScope['notes'],
  { limit = 20, tag, signal, onProgress }: NoteSearchOptions,
): Promise<NoteMatches> {
  checkQuery(query);
  checkMatchLimit(limit);
  if (tag !== undefined) checkTag(tag);
  signal?.throwIfAborted();
  // Tags are stored well-formed.
  const terms = termsOf(query, tag?.toWellFormed());
  if (terms.length === 0) return { matches: [], total: 0 };
  const within = scope === 'all' ? undefined : scope;
  const onRemaining = onProgress && progressOf(onProgress);
  return await index.search({
    source: NOTES,
    terms,
    limit,
    within,
    signal,
    onRemaining,
    toMatch: async ({ record: note, text }, yielder) => {
      return { note, excerpt: (await excerptOf(text, terms, yielder)) ?? note.firstLine };
    },
  });
}

/** Converts the remaining count to the done count. The total is fixed at the first call. */
function progressOf(
  onProgress: (done: number, total: number) => void,
): (remaining: number, notes: number) => void {
  let last = 0;
  let total: number | undefined;
  return (remaining, notes) => {
    total ??= notes;
    // Deleted notes may be counted as remaining.
    const done = remaining === 0 ? total : Math.min(total - remaining, total);
    if (done <= last) return;
    last = done;
    onProgress(done, total);
  };
}
