import type { Database } from '../database/database.js';
import type { SearchKind } from '../schema/schema.js';
import {
  INDEX_STORES,
  type SearchTransaction,
  type KnownSegment,
  type SegmentCache,
} from './index-state.js';
import { readEntries } from './read-entries.js';
import { type BuiltSegment, MAX_SEGMENT_SIZE, SegmentBuilder } from './segments/segment-builder.js';
import {
  markStale,
  enqueueSkipped,
  putSegment,
  rawStore,
  removeSegment,
  removePending,
} from './segments/segment-writes.js';
import { Yielder } from './words/yielder.js';
import { positionOf } from './segments/sorted-keys.js';
import { FILES, NOTES, type Source } from './sources.js';
import { segmentsToCompact, liveKeys } from './compaction.js';
import {
  readPending,
  readPendingKeys,
  type PendingEntries,
  pendingStores,
} from './pending-entries.js';
import { weigh } from './words/weights.js';

/** The most entries that a segment is begun with. */
const MAX_ENTRIES = 4_096;

/** The minimum that an entry adds to the size of a segment: its key, and its place in postings. */
const ENTRY_SIZE = 1_024;

const SOURCES = [NOTES, FILES] as readonly Source<unknown>[];

/** A segment that is not yet in the database. */
interface Draft extends BuiltSegment {
  /** The keys that were read, including those without an entry. */
  read: string[];
  /** The last key that was processed; undefined if none was. */
  last: string | undefined;
  /** The keys of the entries that could not be read. */
  unreadable: string[];
}

/**
 * Updates the search index, one segment after the other. Each segment is written in one transaction
 * with everything that belongs to it. So the indexer may be stopped or crash at any moment, and two
 * indexers may safely do the same work.
 */
export class Indexer {
  readonly #database: Database;
  readonly #segments: SegmentCache;
  /** Unreadable entries with the sequence number of their last change: they are retried later. */
  readonly #unreadable = new Map<string, number>();

  constructor(database: Database, segments: SegmentCache) {
    this.#database = database;
    this.#segments = segments;
  }

  /** Resolves once the index is up to date; rejects with a `StoreError`, or if it is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    for (const source of SOURCES) {
      // Compaction may add pending entries.
      while ((await this.#indexPending(source, signal)) || (await this.#compact(source, signal)));
    }
  }

  /** Lets the next run retry unreadable entries: they may have been replaced. */
  forgetUnreadable(): void {
    this.#unreadable.clear();
  }

  /** Builds a segment from pending entries. Returns whether there were any. */
  async #indexPending(source: Source<unknown>, signal: AbortSignal): Promise<boolean> {
    const { kind } = source;
    const limit = MAX_ENTRIES + this.#unreadable.size;
    const seen = await this.#database.run(
      pendingStores(kind),
      'readonly',
      (transaction) => readPending(transaction, kind, { limit }),
      { signal },
    );
    const { position, sequences } = seen;
    const keys = [...sequences.keys()].filter((key) => {
      return this.#unreadable.get(`${kind} ${key}`) !== sequences.get(key);
    });
    if (keys.length === 0 && position === undefined) return false;
    const draft = await this.#draft(source, keys, signal);
    for (const key of draft.unreadable) {
      this.#unreadable.set(`${kind} ${key}`, sequences.get(key) ?? 0);
    }
    const isAll = sequences.size < limit && draft.last === keys.at(-1);
    await this.#addSegment(kind, draft, { seen, isAll }, signal);
    return true;
  }

  /** Compacts segments into one. Returns whether there were any to compact. */
  async #compact(source: Source<unknown>, signal: AbortSignal): Promise<boolean> {
    const { segments } = await this.#database.run(
      INDEX_STORES,
      'readonly',
      (transaction) => this.#segments.read(transaction, source.kind),
      { signal },
    );
    const group = segmentsToCompact(segments, MAX_SEGMENT_SIZE);
    if (group.length === 0) return false;
    const draft = await this.#draft(source, liveKeys(group), signal);
    for (const key of draft.unreadable) this.#unreadable.set(`${source.kind} ${key}`, 0);
    await this.#replaceSegments(source.kind, draft, group, signal);
    return true;
  }

  /** Reads entries until the segment is full, and inverts their words. */
  async #draft(
    source: Source<unknown>,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<Draft> {
    const yielder = new Yielder('background', signal);
    const builder = new SegmentBuilder(source.kind);
    const unreadable = new Set<string>();
    let processed = 0;
    for await (const batch of readEntries(this.#database, source, keys, signal)) {
      for (const key of batch.unreadable) unreadable.add(key);
      let end = processed + batch.read;
      for (const found of batch.found) {
        const weights = await weigh(source.fieldsOf(found), yielder);
        await builder.add(found.key, weights, source.sizeOf(found) + ENTRY_SIZE, yielder);
        if (yielder.isDue) await yielder.yield();
        if (!builder.isFull) continue;
        end = positionOf(keys, found.key) + 1;
        break;
      }
      processed = end;
      if (builder.isFull) break;
    }
    const read = keys.slice(0, processed).filter((key) => !unreadable.has(key));
    const built = await builder.finish(yielder);
    return { ...built, read, last: keys[processed - 1], unreadable: [...unreadable] };
  }

  /**
   * Writes a segment. Its entries are no longer pending, and become stale in older segments. If an
   * entry has changed since it was read, it stays pending and is stale in the new segment.
   *
   * @param seen The pending entries before the read.
   * @param isAll Whether these were all, and the segment covers all of them.
   */
  async #addSegment(
    kind: SearchKind,
    draft: Draft,
    { seen, isAll }: { seen: PendingEntries; isAll: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const seenKeys = [...seen.sequences.keys()];
    const last = (isAll ? seenKeys.at(-1) : draft.last) ?? '';
    const range = [seenKeys[0] ?? '', last] as const;
    const body = async (transaction: SearchTransaction<'readwrite'>): Promise<void> => {
      const { segments } = await this.#segments.read(transaction, kind);
      const pending = await readPending(transaction, kind, { range });
      const { position, sequences } = pending;
      const done = new Set(
        draft.read.filter((key) => {
          return sequences.has(key) && sequences.get(key) === seen.sequences.get(key);
        }),
      );
      markStale(transaction, segments, [...done]);
      removePending(transaction, kind, done, sequences);
      // Another tab may have reset the index, or been faster: then its position counts.
      if (position !== undefined && position === seen.position) {
        enqueueSkipped(transaction, kind, done, sequences);
        const backlog = rawStore(transaction, 'search-backlog');
        if (isAll) backlog.delete(kind);
        else backlog.put(last, kind);
      }
      await putSegment(transaction, draft, done);
    };
    const stores = [...INDEX_STORES, ...pendingStores(kind)];
    await this.#database.run(stores, 'readwrite', body, { signal });
  }

  /** Replaces segments with one. */
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
      // Without the segments that another tab has compacted since.
      const live = new Set(liveKeys(replaced));
      for (const key of await readPendingKeys(transaction, kind)) live.delete(key);
      const unread = new Set(live);
      for (const key of draft.segment.keys) unread.delete(key);
      // Entries that exist and could not be read become pending again.
      for (const key of unread) rawStore(transaction, 'unindexed').put(0, [kind, key]);
      for (const { number } of replaced) removeSegment(transaction, number);
      await putSegment(transaction, draft, live);
    };
    const stores = [...INDEX_STORES, ...pendingStores(kind)];
    await this.#database.run(stores, 'readwrite', body, { signal });
  }
}
