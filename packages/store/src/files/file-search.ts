import { checkMatchLimit, checkQuery } from '../schema/limits.js';
import type { StoredFile } from '../schema/schema.js';
import type { SearchIndex } from '../search/search-index.js';
import { FILES, type SourceEntry } from '../search/sources.js';
import { termsOf } from '../search/words/terms.js';
import { hasPath, type StoreScope } from '../changes/store-scope.js';

/** The result of a search for files. */
export interface FileMatches {
  /** Best first, at most `limit`. */
  matches: StoredFile[];
  /**
   * How many files match; `matches` may hold fewer. A file with an unreadable record may be counted
   * if it does not rank among the matches.
   */
  total: number;
}

/** Options of a search for files. */
export interface FileSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
}

/** Searches the files of a scope; see `FileStore.search`. */
export async function searchFiles(
  index: SearchIndex,
  query: string,
  scope: StoreScope,
  { limit = 20, signal }: FileSearchOptions,
): Promise<FileMatches> {
  checkQuery(query);
  checkMatchLimit(limit);
  signal?.throwIfAborted();
  const terms = termsOf(query);
  if (terms.length === 0) return { matches: [], total: 0 };
  const within = scope.files === 'all' ? undefined : (path: string) => hasPath(scope, path);
  return await index.search({ source: FILES, terms, limit, within, signal, toMatch });
}

function toMatch({ record }: SourceEntry<StoredFile>): StoredFile {
  return record;
}
