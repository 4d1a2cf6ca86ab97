import type { Database } from '../database/database.js';
import type { NoteSummary } from '../schema/schema.js';
import { isUnreadable } from '../schema/unreadable-entry.js';
import { BestKeys } from './words/best-keys.js';
import { queryIndex } from './index-query.js';
import { liveKeys } from './compaction.js';
import { INDEX_STORES, type SearchTransaction, type SegmentCache } from './index-state.js';
import { IndexDamage } from './index-damage.js';
import { type FoundNote, noteBatches, readFirstNotes } from './note-batches.js';
import { excerptOf } from './words/excerpt.js';
import { Yielder } from './words/yielder.js';
import { scoreOf, type Term } from './words/terms.js';
import { PENDING_STORES, readNewestPending } from './pending-notes.js';
import { weigh } from './words/weights.js';

/** The maximum number of pending notes that a search reads, which takes some seconds. */
const MAX_READ_PENDING = 20_000;

/** A search, and the notes in which it looks. */
export interface Search {
  /** The terms, at least one. */
  terms: readonly Term[];
  /** The most matches to return. */
  limit: number;
  /** The maximum number of pending notes that are read, the newest first. Default: {@link MAX_READ_PENDING}. */
  maxPending?: number;
  /** The ids of the only notes to search. They are few, and all of them are read. Default: all notes. */
  within?: ReadonlySet<string> | undefined;
  /** Aborting it ends the search, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called with the number of notes that remain to be scanned, and the number of all notes. */
  onRemaining?: ((remaining: number, notes: number) => void) | undefined;
}

/** A note that a search has found. */
export interface NoteMatch {
  /** The note, without its text. */
  note: NoteSummary;
  /**
   * An extract of about 200 code units from the text around the first matching word, on one line. It is the
   * note's `firstLine` if the words occur only in the title, in tags, or after the first million code units.
   */
  excerpt: string;
}

/** The result of a search. */
export interface NoteMatches {
  /** The matches, best first, at most `limit`. */
  matches: NoteMatch[];
  /**
   * The number of notes that match; `matches` may hold fewer. An unreadable note may be counted if it does
   * not rank among the matches.
   */
  total: number;
  /** Set to `true` if no note has the words as they were typed: see `NoteStore.search`. Absent otherwise. */
  isApproximate?: true;
  /**
   * The number of notes that were not searched, or only in an earlier state, because so many were written
   * that the index has to catch up. A later search finds them. Absent if all were searched.
   */
  unsearched?: number;
}

/** The answer of the index, from a single transaction. */
interface IndexAnswer {
  /** The best matches in the segments. */
  best: BestKeys;
  /** The ids of the notes that our segments do not contain, ascending. */
  pending: string[];
  /** The number of other such notes. Our segments may have an earlier state of them. */
  omitted: number;
  /** The number of all notes. */
  notes: number;
  /** The best notes, read in the same transaction if the ranking is final. */
  found: FoundNote[];
}

/**
 * Queries our segments, scans all other notes, and reads the best. If the index is up to date, which
 * is usual, this takes one transaction.
 */
export async function runSearch(
  database: Database,
  segments: SegmentCache,
  search: Search,
): Promise<NoteMatches> {
  const { best, pending, omitted, notes, found } = await askIndex(database, segments, search);
  await scanNotes(database, search, pending, best, (remaining) => {
    search.onRemaining?.(remaining, notes);
  });
  const matches = await readMatches(database, search, best.keys, found, omitted > 0);
  // Notes deleted since then do not count.
  const total = best.total - (best.keys.length - matches.length);
  return { matches, total, ...(omitted > 0 && { unsearched: omitted }) };
}

async function askIndex(
  database: Database,
  segments: SegmentCache,
  search: Search,
): Promise<IndexAnswer> {
  const { within, signal } = search;
  if (within) {
    const pending = [...within].toSorted();
    return { best: newBest(search), pending, omitted: 0, notes: pending.length, found: [] };
  }
  const ask = async (readsBest: boolean): Promise<IndexAnswer> =>
    await database.run(
      [...INDEX_STORES, ...PENDING_STORES, 'note-texts'],
      'readonly',
      (transaction) => querySegments(transaction, segments, search, readsBest),
      { signal },
    );
  try {
    return await ask(true);
  } catch (error) {
    if (!isUnreadable(error) || error instanceof IndexDamage) throw error;
    // One of the best notes may be unreadable, so they are read later, one by one if necessary.
    return await ask(false);
  }
}

async function querySegments(
  transaction: SearchTransaction<'readonly'>,
  cache: SegmentCache,
  search: Search,
  readsBest: boolean,
): Promise<IndexAnswer> {
  const best = newBest(search);
  const [{ segments, notes }, { ids, omitted }] = await Promise.all([
    cache.read(transaction),
    readNewestPending(transaction, search.maxPending ?? MAX_READ_PENDING),
  ]);
  const own = segments.filter(({ isForeign }) => !isForeign);
  const foreign = segments.filter(({ isForeign }) => isForeign);
  const pending = new Set([...ids, ...liveKeys(foreign)].toSorted());
  await queryIndex(transaction, cache, own, search.terms, (id, score) => {
    if (!pending.has(id)) best.add(id, score);
  });
  const isFinal = readsBest && pending.size === 0 && best.total > 0;
  const { found } = isFinal
    ? await readFirstNotes(transaction, best.keys.toSorted())
    : { found: [] };
  return { best, pending: [...pending], omitted, notes, found };
}

/** Makes an empty list of the best keys. If two scores are equal, the newer note ranks first. */
function newBest({ limit }: Search): BestKeys {
  return new BestKeys(limit, (a, b) => a > b);
}

/** Scores notes that the segments do not contain. */
async function scanNotes(
  database: Database,
  { terms, signal }: Search,
  ids: readonly string[],
  best: BestKeys,
  onRemaining: (remaining: number) => void,
): Promise<void> {
  const yielder = new Yielder('user-visible', signal);
  let remaining = ids.length;
  for await (const { found, read } of noteBatches(database, ids, { signal })) {
    for (const { note, text } of found) {
      const score = scoreOf(await weigh(note, text, yielder, terms), terms);
      if (score > 0) best.add(note.id, score);
      if (yielder.isDue) await yielder.yield();
    }
    remaining -= read;
    onRemaining(remaining);
  }
  if (ids.length === 0) onRemaining(0);
}

/**
 * The matches in the order of `ids`. Reads the remaining notes; deleted ones are omitted.
 *
 * @param isUnsure Whether the notes may have changed, so that they may no longer contain the words.
 */
async function readMatches(
  database: Database,
  { terms, signal }: Search,
  ids: readonly string[],
  found: readonly FoundNote[],
  isUnsure: boolean,
): Promise<NoteMatch[]> {
  const yielder = new Yielder('user-visible', signal);
  const matches = new Map<string, NoteMatch>();
  // Whole texts of all matches might not fit into memory.
  const addMatches = async (notes: readonly FoundNote[]): Promise<void> => {
    for (const { note, text } of notes) {
      if (isUnsure && scoreOf(await weigh(note, text, yielder, terms), terms) === 0) continue;
      const excerpt = (await excerptOf(text, terms, yielder)) ?? note.firstLine;
      matches.set(note.id, { note, excerpt });
      if (yielder.isDue) await yielder.yield();
    }
  };
  await addMatches(found);
  const missing = ids.filter((id) => !matches.has(id)).toSorted();
  for await (const batch of noteBatches(database, missing, { signal }))
    await addMatches(batch.found);
  return ids.map((id) => matches.get(id)).filter((match) => match !== undefined);
}
