import type { Database } from '../database/database.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { BestKeys } from './segments/best-keys.js';
import { queryIndex } from './index-query.js';
import { INDEX_STORES, type SearchTransaction, type SegmentCache } from './index-state.js';
import { IndexDamage } from './index-damage.js';
import { readEntries } from './read-entries.js';
import { Yielder } from './words/yielder.js';
import type { SourceEntry, Source } from './sources.js';
import { scoreOf, type Term } from './words/terms.js';
import { readPendingKeys, pendingStores } from './pending-entries.js';
import { weigh } from './words/weights.js';

/** A search, and where it looks. */
export interface Search<Record, Match> {
  source: Source<Record>;
  /** At least one. */
  terms: readonly Term[];
  /** The most matches to return. */
  limit: number;
  /** Only these entries; a set is small, and all of it is read. Default: all of the kind. */
  within?: ReadonlySet<string> | ((key: string) => boolean) | undefined;
  /** Converts an entry to a match: whole entries might not fit into memory. */
  toMatch: (found: SourceEntry<Record>, yielder: Yielder) => Match | Promise<Match>;
  /** Aborting it ends the search, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called with how many entries remain to be scanned, and how many notes exist. */
  onRemaining?: ((remaining: number, notes: number) => void) | undefined;
}

/** The result of a search. */
export interface SearchResult<Match> {
  /** Best first. */
  matches: Match[];
  /**
   * How many entries match; `matches` may hold fewer. Entries beyond the best are not read, so
   * unreadable ones are counted.
   */
  total: number;
}

/** The answer of the index, from a single transaction. */
interface IndexAnswer<Record> {
  /** The best matches in the segments. */
  best: BestKeys;
  /** The keys that the segments do not contain, ascending. */
  pending: string[];
  /** How many notes exist. */
  notes: number;
  /** The best entries, read in the same transaction if the ranking is final. */
  found: SourceEntry<Record>[];
}

/**
 * Queries the segments, scans pending entries, and reads the best. If the index is up to date,
 * which is usual, this takes one transaction.
 */
export async function runSearch<Record, Match>(
  database: Database,
  segments: SegmentCache,
  search: Search<Record, Match>,
): Promise<SearchResult<Match>> {
  const { best, pending, notes, found } = await askIndex(database, segments, search);
  await scanEntries(database, search, pending, best, (remaining) => {
    search.onRemaining?.(remaining, notes);
  });
  const matches = await readMatches(database, search, best.keys, found);
  // Entries deleted since then do not count.
  return { matches, total: best.total - (best.keys.length - matches.length) };
}

async function askIndex<Record>(
  database: Database,
  segments: SegmentCache,
  search: Search<Record, unknown>,
): Promise<IndexAnswer<Record>> {
  const { within, limit, signal, source } = search;
  if (typeof within === 'object') {
    const chosen: string[] = [...within];
    const best = new BestKeys(limit, source.isBefore);
    return { best, pending: chosen.toSorted(), notes: chosen.length, found: [] };
  }
  const ask = async (readsBest: boolean): Promise<IndexAnswer<Record>> =>
    await database.run(
      [...INDEX_STORES, ...pendingStores(source.kind), ...source.stores],
      'readonly',
      (transaction) => querySegments(transaction, segments, search, within, readsBest),
      { signal },
    );
  try {
    return await ask(true);
  } catch (error) {
    if (!isUnreadable(error) || error instanceof IndexDamage) throw error;
    // One of the best may be unreadable: they are read later, one by one if necessary.
    return await ask(false);
  }
}

async function querySegments<Record>(
  transaction: SearchTransaction<'readonly'>,
  cache: SegmentCache,
  { source, terms, limit }: Search<Record, unknown>,
  isWithin: (key: string) => boolean = () => true,
  readsBest: boolean,
): Promise<IndexAnswer<Record>> {
  const best = new BestKeys(limit, source.isBefore);
  const [{ segments, notes }, pending] = await Promise.all([
    cache.read(transaction, source.kind),
    readPendingKeys(transaction, source.kind),
  ]);
  const unknown = new Set(pending);
  await queryIndex(transaction, cache, segments, terms, (key, score) => {
    if (!unknown.has(key) && isWithin(key)) best.add(key, score);
  });
  const toScan = pending.filter(isWithin);
  const isFinal = readsBest && toScan.length === 0 && best.total > 0;
  const { found } = isFinal ? await source.read(transaction, best.keys.toSorted()) : { found: [] };
  return { best, pending: toScan, notes, found };
}

/** Scores entries that the segments do not contain. */
async function scanEntries<Record>(
  database: Database,
  { source, terms, signal }: Search<Record, unknown>,
  keys: readonly string[],
  best: BestKeys,
  onRemaining: (remaining: number) => void,
): Promise<void> {
  const yielder = new Yielder('user-visible', signal);
  let remaining = keys.length;
  for await (const { found, read } of readEntries(database, source, keys, signal)) {
    for (const entry of found) {
      const score = scoreOf(await weigh(source.fieldsOf(entry), yielder, terms), terms);
      if (score > 0) best.add(entry.key, score);
      if (yielder.isDue) await yielder.yield();
    }
    remaining -= read;
    onRemaining(remaining);
  }
  if (keys.length === 0) onRemaining(0);
}

/** Reads the remaining entries, and converts those that still exist, in the order of `keys`. */
async function readMatches<Record, Match>(
  database: Database,
  { source, toMatch, signal }: Search<Record, Match>,
  keys: readonly string[],
  found: readonly SourceEntry<Record>[],
): Promise<Match[]> {
  const yielder = new Yielder('user-visible', signal);
  const matches = new Map<string, Match>();
  const addMatches = async (entries: readonly SourceEntry<Record>[]): Promise<void> => {
    for (const entry of entries) {
      matches.set(entry.key, await toMatch(entry, yielder));
      if (yielder.isDue) await yielder.yield();
    }
  };
  await addMatches(found);
  const missing = keys.filter((key) => !matches.has(key)).toSorted();
  for await (const batch of readEntries(database, source, missing, signal)) {
    await addMatches(batch.found);
  }
  return keys.map((key) => matches.get(key)).filter((match) => match !== undefined);
}
