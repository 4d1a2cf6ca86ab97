import { checkMatchLimit, checkQuery } from '../schema/limits.js';
import type { Database } from '../database/database.js';
import { fold } from '../records/folded-text.js';
import { rangeAfter, readRecords } from '../records/readable-records.js';
import type { StoredFile } from '../schema/schema.js';
import { BestKeys } from '../search/words/best-keys.js';
import { loosened, scoreOf, startOf, type Term, termsOf } from '../search/words/terms.js';
import { wordsIn } from '../search/words/words.js';
import { Yielder } from '../search/words/yielder.js';

/** The result of a search for files. */
export interface FileMatches {
  /** The matches, best first, at most `limit`. */
  matches: StoredFile[];
  /**
   * The number of files that match; `matches` may hold fewer. A file with an unreadable record may be counted
   * if it does not rank among the matches.
   */
  total: number;
  /** Set to `true` if no path has the words as they were typed: see `FileStore.search`. Absent otherwise. */
  isApproximate?: true;
}

/** Options of a search for files. */
export interface FileSearchOptions {
  /** The most matches, 1 to `MAX_MATCHES`. Default: 20. */
  limit?: number | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. Default: none. */
  signal?: AbortSignal | undefined;
}

const NAME_WEIGHT = 64;
const FOLDER_WEIGHT = 16;

/** The number of paths that are read at a time. */
const PATHS_PAGE = 5_000;

/**
 * Searches files by their paths; see `FileStore.search`.
 *
 * @param paths Reads the paths of the files to search, in pages.
 */
export async function searchFiles(
  database: Database,
  paths: () => AsyncIterable<readonly string[]>,
  query: string,
  { limit = 20, signal }: FileSearchOptions,
): Promise<FileMatches> {
  checkQuery(query);
  checkMatchLimit(limit);
  signal?.throwIfAborted();
  const terms = termsOf(query);
  if (terms.length === 0) return { matches: [], total: 0 };
  const find = (wanted: readonly Term[]) => bestPaths(paths(), wanted, limit, signal);
  const exact = await find(terms);
  const loose = exact.total === 0 ? loosened(terms) : undefined;
  const best = loose ? await find(loose) : exact;
  const ranges = best.keys.map((path) => IDBKeyRange.only(path));
  const records = { store: 'files', ranges, count: limit, direction: 'next', signal } as const;
  const matches = await readRecords(database, records);
  // Files deleted since then do not count.
  const total = best.total - (ranges.length - matches.length);
  return { matches, total, ...(loose && total > 0 && { isApproximate: true }) };
}

/** The best of the paths that match all terms. */
async function bestPaths(
  paths: AsyncIterable<readonly string[]>,
  terms: readonly Term[],
  limit: number,
  signal: AbortSignal | undefined,
): Promise<BestKeys> {
  const best = new BestKeys(limit, (a, b) => a < b);
  const yielder = new Yielder('user-visible', signal);
  for await (const page of paths) {
    for (const path of page) {
      if (!mayMatch(path, terms)) continue;
      const score = scoreOf(weightsIn(path), terms);
      if (score > 0) best.add(path, score);
      if (yielder.isDue) await yielder.yield();
    }
    if (yielder.isDue) await yielder.yield();
  }
  return best;
}

/**
 * Reads the paths of files, in pages. Reads only keys.
 *
 * @param ranges The key ranges of the paths, in order. Default: all.
 */
export async function* readPaths(
  database: Database,
  signal: AbortSignal | undefined,
  ranges: readonly (IDBKeyRange | null)[] = [null],
): AsyncGenerator<string[]> {
  for (const range of ranges) {
    let rest: IDBKeyRange | null | undefined = range;
    while (rest !== undefined) {
      const query: IDBKeyRange | null = rest;
      const page: string[] = await database.run(
        ['files'],
        'readonly',
        (transaction) => transaction.objectStore('files').getAllKeys(query, PATHS_PAGE),
        { signal },
      );
      yield page;
      rest = page.length < PATHS_PAGE ? undefined : rangeAfter(rest, page.at(-1)!, 'next');
    }
  }
}

/** Whether a path contains all terms anywhere: a fast check before its words are compared. */
function mayMatch(path: string, terms: readonly Term[]): boolean {
  const folded = fold(path);
  return terms.every((term) => folded.includes(startOf(term)));
}

/** The words of a path with their weights. */
function weightsIn(path: string): Map<string, number> {
  const start = path.lastIndexOf('/') + 1;
  const weights = new Map<string, number>();
  for (const word of wordsIn(path.slice(0, start))) weights.set(word, FOLDER_WEIGHT);
  for (const word of new Set(wordsIn(path.slice(start)))) {
    weights.set(word, (weights.get(word) ?? 0) + NAME_WEIGHT);
  }
  return weights;
}
