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
   * Some 200 code units of the text around the first word found there, on one line; the note's
   * `firstLine` when only its title or tags have the words, or what comes after the first million of code
   * units.
   */
  excerpt: string;
}

/** The answer to a search. */
export interface NoteMatches {
  /** Best first, at most `limit`. */
  matches: NoteMatch[];
  /**
   * How many notes match; `matches` may hold fewer. A note that can no longer be read may be counted,
   * unless it were one of the matches.
   */
  total: number;
}

/** What a search may be told besides its query. */
export interface NoteSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number | undefined;
  /** Only notes with exactly this tag. Default: all. */
  tag?: string | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * Hears how many of all notes have been searched: more each time, and all at the end. Once only
   * where the index knows all of them, not at all when there is nothing to search. What it throws ends
   * the search.
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
  // As tags are stored.
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
    show: async ({ record: note, text }, slices) => {
      return { note, excerpt: (await excerptOf(text, terms, slices)) ?? note.firstLine };
    },
  });
}

/** What remains, told as what is done. Notes may come and go meanwhile: the total is the first. */
function progressOf(
  onProgress: (done: number, total: number) => void,
): (remaining: number, notes: number) => void {
  let last = 0;
  let total: number | undefined;
  return (remaining, notes) => {
    total ??= notes;
    // What remains may be the traces of deleted notes.
    const done = remaining === 0 ? total : Math.min(total - remaining, total);
    if (done <= last) return;
    last = done;
    onProgress(done, total);
  };
}
