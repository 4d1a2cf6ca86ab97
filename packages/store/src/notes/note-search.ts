import { checkMatchLimit, checkQuery, checkTag } from '../schema/limits.js';
import type { NoteMatches } from '../search/run-search.js';
import type { SearchIndex } from '../search/search-index.js';
import { loosened, termsOf } from '../search/words/terms.js';
import type { StoreScope } from '../changes/store-scope.js';

/** Options of a search. */
export interface NoteSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number | undefined;
  /** The tag that the notes must have exactly. Default: any note. */
  tag?: string | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the number of notes that have been searched, which grows with each call, and with the number
   * of all notes, which it reaches at the end. It is called only once if the index is up to date, and never
   * if there is nothing to search. If it throws, the search rejects.
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
  const search = { limit, within, signal, onRemaining };
  const exact = await index.search({ ...search, terms });
  const loose = exact.total === 0 ? loosened(terms) : undefined;
  if (!loose) return exact;
  const found = await index.search({ ...search, terms: loose });
  return found.total === 0 ? exact : { ...found, isApproximate: true };
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
