import type { Database } from '../database/database.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { BestKeys } from './segments/best-keys.js';
import { queryIndex } from './index-query.js';
import { INDEX_STORES, type SearchTransaction, type Segments } from './index-state.js';
import { IndexDamage } from './index-damage.js';
import { readEntries } from './read-entries.js';
import { Slices } from './words/slices.js';
import type { Found, Source } from './sources.js';
import { scoreOf, type Term } from './words/terms.js';
import { readWaitingKeys, waitingStores } from './waiting.js';
import { weigh } from './words/weights.js';

/** What is looked for, and where. */
export interface Search<Record, Match> {
  source: Source<Record>;
  /** At least one. */
  terms: readonly Term[];
  /** The most entries that come back. */
  limit: number;
  /** Only these entries; a set is small, and read whole. Default: all of the kind. */
  within?: ReadonlySet<string> | ((key: string) => boolean) | undefined;
  /** What to give back of an entry: all of it could be more than the memory holds. */
  show: (found: Found<Record>, slices: Slices) => Match | Promise<Match>;
  /** Aborting it ends the search, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Hears how many entries are still to be looked at one by one, and how many notes there are. */
  onRemaining?: ((remaining: number, notes: number) => void) | undefined;
}

/** What a search has found. */
export interface SearchResult<Match> {
  /** Best first. */
  matches: Match[];
  /**
   * How many entries match; `matches` may hold fewer. Those behind the best are not read: one that can
   * no longer be is counted.
   */
  total: number;
}

/** What a first transaction, and so a single moment, has to say. */
interface FirstAnswer<Record> {
  /** The best of what the segments know. */
  best: BestKeys;
  /** The keys of what they do not know, ascending. */
  waiting: string[];
  /** How many notes there are. */
  notes: number;
  /** Some of the best, read already where none can become better. */
  found: Found<Record>[];
}

/**
 * Asks the segments, looks at what they do not know, and reads the best: in one transaction when the
 * index is up to date, which is the rule.
 */
export async function runSearch<Record, Match>(
  database: Database,
  segments: Segments,
  search: Search<Record, Match>,
): Promise<SearchResult<Match>> {
  const { best, waiting, notes, found } = await askFirst(database, segments, search);
  await lookAt(database, search, waiting, best, (remaining) => {
    search.onRemaining?.(remaining, notes);
  });
  const matches = await showBest(database, search, best.keys, found);
  // What was deleted meanwhile does not count.
  return { matches, total: best.total - (best.keys.length - matches.length) };
}

async function askFirst<Record>(
  database: Database,
  segments: Segments,
  search: Search<Record, unknown>,
): Promise<FirstAnswer<Record>> {
  const { within, limit, signal, source } = search;
  if (typeof within === 'object') {
    const chosen: string[] = [...within];
    const best = new BestKeys(limit, source.isBefore);
    return { best, waiting: chosen.toSorted(), notes: chosen.length, found: [] };
  }
  const ask = async (readsBest: boolean): Promise<FirstAnswer<Record>> =>
    await database.run(
      [...INDEX_STORES, ...waitingStores(source.kind), ...source.stores],
      'readonly',
      (transaction) => askSegments(transaction, segments, search, within, readsBest),
      { signal },
    );
  try {
    return await ask(true);
  } catch (error) {
    if (!isUnreadable(error) || error instanceof IndexDamage) throw error;
    // One of the best perhaps: they are read later then, each by itself if need be.
    return await ask(false);
  }
}

async function askSegments<Record>(
  transaction: SearchTransaction<'readonly'>,
  cache: Segments,
  { source, terms, limit }: Search<Record, unknown>,
  isWithin: (key: string) => boolean = () => true,
  readsBest: boolean,
): Promise<FirstAnswer<Record>> {
  const best = new BestKeys(limit, source.isBefore);
  const [{ segments, notes }, waiting] = await Promise.all([
    cache.read(transaction, source.kind),
    readWaitingKeys(transaction, source.kind),
  ]);
  const unknown = new Set(waiting);
  await queryIndex(transaction, cache, segments, terms, (key, score) => {
    if (!unknown.has(key) && isWithin(key)) best.consider(key, score);
  });
  const asked = waiting.filter(isWithin);
  const isFinal = readsBest && asked.length === 0 && best.total > 0;
  const { found } = isFinal ? await source.read(transaction, best.keys.toSorted()) : { found: [] };
  return { best, waiting: asked, notes, found };
}

/** Looks at entries one by one. */
async function lookAt<Record>(
  database: Database,
  { source, terms, signal }: Search<Record, unknown>,
  keys: readonly string[],
  best: BestKeys,
  onRemaining: (remaining: number) => void,
): Promise<void> {
  const slices = new Slices('user-visible', signal);
  let remaining = keys.length;
  for await (const { found, read } of readEntries(database, source, keys, signal)) {
    for (const entry of found) {
      const score = scoreOf(await weigh(source.fieldsOf(entry), slices, terms), terms);
      if (score > 0) best.consider(entry.key, score);
      if (slices.isOver) await slices.next();
    }
    remaining -= read;
    onRemaining(remaining);
  }
  if (keys.length === 0) onRemaining(0);
}

/** Reads those that are not read yet, and shows those that are still there, in their order. */
async function showBest<Record, Match>(
  database: Database,
  { source, show, signal }: Search<Record, Match>,
  keys: readonly string[],
  found: readonly Found<Record>[],
): Promise<Match[]> {
  const slices = new Slices('user-visible', signal);
  const shown = new Map<string, Match>();
  const showAll = async (entries: readonly Found<Record>[]): Promise<void> => {
    for (const entry of entries) {
      shown.set(entry.key, await show(entry, slices));
      if (slices.isOver) await slices.next();
    }
  };
  await showAll(found);
  const missing = keys.filter((key) => !shown.has(key)).toSorted();
  for await (const batch of readEntries(database, source, missing, signal)) {
    await showAll(batch.found);
  }
  return keys.map((key) => shown.get(key)).filter((match) => match !== undefined);
}
