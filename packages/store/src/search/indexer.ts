import { unwrap } from 'idb';
import type { Database } from '../database.js';
import type { SearchBlock, SearchKind } from '../schema.js';
import { countBits, emptyBitmap, hasBit, setBit } from './bitmap.js';
import {
  INDEX_STORES,
  type SearchStores,
  type SearchTransaction,
  type KnownSegment,
  readWaiting,
  readWaitingKeys,
  type Segments,
} from './index-state.js';
import { readEntries } from './read-entries.js';
import { type BuiltSegment, SegmentBuilder } from './segment-builder.js';
import { Slices } from './slices.js';
import { positionOf } from './sorted-keys.js';
import { FILES, NOTES, type Source } from './sources.js';
import { groupToRemake, liveKeys } from './upkeep.js';
import { weigh } from './weights.js';

/** The most entries that a segment is begun with. */
const MAX_ENTRIES = 4_096;

/** What an entry counts for at least in the size of a segment: its key, and its place in postings. */
const ENTRY_SIZE = 1_024;

/** The largest segment, but for one with a single entry that is larger. */
const MAX_SEGMENT_SIZE = 8 * 1024 * 1024;

const SOURCES = [NOTES, FILES] as readonly Source<unknown>[];

/** A segment that is not yet in the database. */
interface Draft extends BuiltSegment {
  /** The keys that were read, those without an entry included. */
  read: string[];
}

/**
 * Brings the search index up to date, one segment after the other. Each is written in one transaction
 * with everything that belongs to it, so that it may be stopped, or die, at any moment; and two of them
 * may do the same work without harm.
 */
export class Indexer {
  readonly #database: Database;
  readonly #segments: Segments;
  /** What could not be read waits for another time. */
  readonly #unreadable = new Set<string>();

  constructor(database: Database, segments: Segments) {
    this.#database = database;
    this.#segments = segments;
  }

  /** Resolves once there is nothing left to do; rejects with a `StoreError`, or when it was stopped. */
  async run(signal: AbortSignal): Promise<void> {
    for (const source of SOURCES) {
      // What is made anew may have to wait again.
      while ((await this.#indexWaiting(source, signal)) || (await this.#remake(source, signal)));
    }
  }

  /** Makes a segment of what waits. Returns whether there was something. */
  async #indexWaiting(source: Source<unknown>, signal: AbortSignal): Promise<boolean> {
    const { kind } = source;
    const most = MAX_ENTRIES + this.#unreadable.size;
    const waiting = await this.#database.run(
      INDEX_STORES,
      'readonly',
      (transaction) => readWaiting(transaction, kind, { most }),
      { signal },
    );
    const keys = [...waiting.keys()].filter((key) => !this.#unreadable.has(`${kind} ${key}`));
    if (keys.length === 0) return false;
    const draft = await this.#draft(source, keys, signal);
    if (draft.read.length > 0) await this.#addSegment(kind, draft, waiting, signal);
    return true;
  }

  /** Makes one segment of several, or of one with little left in it. Returns whether there were such. */
  async #remake(source: Source<unknown>, signal: AbortSignal): Promise<boolean> {
    const { segments } = await this.#database.run(
      INDEX_STORES,
      'readonly',
      (transaction) => this.#segments.read(transaction, source.kind),
      { signal },
    );
    const group = groupToRemake(segments, MAX_SEGMENT_SIZE);
    if (group.length === 0) return false;
    const draft = await this.#draft(source, liveKeys(group), signal);
    await this.#replaceSegments(source.kind, draft, group, signal);
    return true;
  }

  /** Reads entries until there are enough of them, and turns their words round. */
  async #draft(
    source: Source<unknown>,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<Draft> {
    const slices = new Slices('background', signal);
    const builder = new SegmentBuilder(source.kind);
    const read: string[] = [];
    let position = 0;
    for await (const batch of readEntries(this.#database, source, keys, signal)) {
      for (const found of batch.found) {
        const weights = await weigh(source.fieldsOf(found), slices);
        builder.add(found.key, weights, source.sizeOf(found) + ENTRY_SIZE);
        if (slices.isOver) await slices.next();
      }
      for (const key of batch.unreadable) this.#unreadable.add(`${source.kind} ${key}`);
      const batchKeys = keys.slice(position, position + batch.read);
      read.push(...batchKeys.filter((key) => !batch.unreadable.includes(key)));
      position += batch.read;
      if (builder.size >= MAX_SEGMENT_SIZE) break;
    }
    return { ...(await builder.finish(slices)), read };
  }

  /**
   * Takes what was read out of what waits, and out of older segments. What has changed since it was
   * read goes on waiting, and is stale in the new segment from the beginning.
   */
  async #addSegment(
    kind: SearchKind,
    draft: Draft,
    seen: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const range = [draft.read[0]!, draft.read.at(-1)!] as const;
    const body = async (transaction: SearchTransaction<'readwrite'>): Promise<void> => {
      const { segments } = await this.#segments.read(transaction, kind);
      const waiting = await readWaiting(transaction, kind, { range });
      const isSame = (key: string): boolean => waiting.get(key) === seen.get(key);
      const done = draft.read.filter((key) => waiting.has(key) && isSame(key));
      forgetIn(transaction, segments, done);
      takeOut(transaction, kind, done, waiting);
      await putSegment(transaction, draft, new Set(done));
    };
    await this.#database.run(INDEX_STORES, 'readwrite', body, { signal });
  }

  /** Puts a segment in the place of others. */
  async #replaceSegments(
    kind: SearchKind,
    draft: Draft,
    group: readonly KnownSegment[],
    signal: AbortSignal,
  ): Promise<void> {
    const body = async (transaction: SearchTransaction<'readwrite'>): Promise<void> => {
      const { segments } = await this.#segments.read(transaction, kind);
      const numbers = new Set(group.map(({ number }) => number));
      const replaced = segments.filter(({ number }) => numbers.has(number));
      // Without those that another tab has made anew meanwhile.
      const live = new Set(liveKeys(replaced));
      for (const key of await readWaitingKeys(transaction, kind)) live.delete(key);
      const unread = new Set(live);
      for (const key of draft.segment.keys) unread.delete(key);
      // What is there and could not be read is looked for again.
      for (const key of unread) rawStore(transaction, 'unindexed').put(0, [kind, key]);
      for (const { number } of replaced) removeSegment(transaction, number);
      await putSegment(transaction, draft, live);
    };
    await this.#database.run(INDEX_STORES, 'readwrite', body, { signal });
  }
}

/** Past the promises: nobody waits for one, and a request that fails aborts the transaction. */
function rawStore(
  transaction: SearchTransaction<'readwrite'>,
  name: SearchStores[number],
): IDBObjectStore {
  return unwrap(transaction.objectStore(name));
}

/** Writes a segment, in which only some keys count. Without any there is nothing to write. */
async function putSegment(
  transaction: SearchTransaction<'readwrite'>,
  { segment, blocks }: { segment: BuiltSegment['segment']; blocks: readonly SearchBlock[] },
  live: ReadonlySet<string>,
): Promise<void> {
  const stale = emptyBitmap(segment.keys.length);
  for (const [entry, key] of segment.keys.entries()) if (!live.has(key)) setBit(stale, entry);
  const countStale = countBits(stale);
  if (countStale === segment.keys.length) return;
  const number = await transaction.objectStore('search-segments').add(segment);
  putStale(transaction, number, countStale > 0 ? stale : undefined);
  for (const [block, content] of blocks.entries()) {
    rawStore(transaction, 'search-blocks').put(content, [number, block]);
  }
}

/** Marks keys in the segments that have them. A segment in which nothing counts any more goes. */
function forgetIn(
  transaction: SearchTransaction<'readwrite'>,
  segments: readonly KnownSegment[],
  keys: readonly string[],
): void {
  for (const { number, segment, stale: before } of segments) {
    const stale = before ?? emptyBitmap(segment.keys.length);
    let isChanged = false;
    for (const key of keys) {
      const entry = positionOf(segment.keys, key);
      if (entry === -1 || hasBit(stale, entry)) continue;
      setBit(stale, entry);
      isChanged = true;
    }
    if (!isChanged) continue;
    if (countBits(stale) === segment.keys.length) removeSegment(transaction, number);
    else putStale(transaction, number, stale);
  }
}

function putStale(
  transaction: SearchTransaction<'readwrite'>,
  segment: number,
  entries: Uint8Array | undefined,
): void {
  rawStore(transaction, 'search-stale').put({ segment, ...(entries && { entries }) }, segment);
}

function removeSegment(transaction: SearchTransaction<'readwrite'>, number: number): void {
  rawStore(transaction, 'search-segments').delete(number);
  rawStore(transaction, 'search-stale').delete(number);
  // Behind all blocks of the segment: an array comes after every number.
  const blocks = IDBKeyRange.bound([number], [number, []]);
  rawStore(transaction, 'search-blocks').delete(blocks);
}

/** Deletes keys of those that wait; one request for those that have no other between them. */
function takeOut(
  transaction: SearchTransaction<'readwrite'>,
  kind: SearchKind,
  keys: readonly string[],
  waiting: ReadonlyMap<string, number>,
): void {
  const taken = new Set(keys);
  const store = rawStore(transaction, 'unindexed');
  let run: string[] = [];
  const close = (): void => {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return;
    store.delete(IDBKeyRange.bound([kind, first], [kind, last]));
    run = [];
  };
  for (const key of waiting.keys()) {
    if (taken.has(key)) run.push(key);
    else close();
  }
  close();
}
