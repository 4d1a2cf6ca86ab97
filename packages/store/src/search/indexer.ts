import type { Database } from '../database/database.js';
import type { SearchKind } from '../schema/schema.js';
import {
  INDEX_STORES,
  type SearchTransaction,
  type KnownSegment,
  type Segments,
} from './index-state.js';
import { readEntries } from './read-entries.js';
import { type BuiltSegment, MAX_SEGMENT_SIZE, SegmentBuilder } from './segments/segment-builder.js';
import {
  forgetIn,
  pass,
  putSegment,
  rawStore,
  removeSegment,
  takeOut,
} from './segments/segment-writes.js';
import { Slices } from './words/slices.js';
import { positionOf } from './segments/sorted-keys.js';
import { FILES, NOTES, type Source } from './sources.js';
import { groupToRemake, liveKeys } from './upkeep.js';
import { readWaiting, readWaitingKeys, type Waiting, waitingStores } from './waiting.js';
import { weigh } from './words/weights.js';

/** The most entries that a segment is begun with. */
const MAX_ENTRIES = 4_096;

/** What an entry counts for at least in the size of a segment: its key, and its place in postings. */
const ENTRY_SIZE = 1_024;

const SOURCES = [NOTES, FILES] as readonly Source<unknown>[];

/** A segment that is not yet in the database. */
interface Draft extends BuiltSegment {
  /** The keys that were read, those without an entry included. */
  read: string[];
  /** The last key that was dealt with; undefined where there was none. */
  last: string | undefined;
  /** The keys of what could not be read. */
  unreadable: string[];
}

/**
 * Brings the search index up to date, one segment after the other. Each is written in one transaction
 * with everything that belongs to it, so that it may be stopped, or die, at any moment; and two of them
 * may do the same work without harm.
 */
export class Indexer {
  readonly #database: Database;
  readonly #segments: Segments;
  /** What could not be read, and when it was last changed: it waits for another time. */
  readonly #unreadable = new Map<string, number>();

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

  /** Looks again at what could not be read: it may be another now. */
  forgetUnreadable(): void {
    this.#unreadable.clear();
  }

  /** Makes a segment of what waits. Returns whether there was something. */
  async #indexWaiting(source: Source<unknown>, signal: AbortSignal): Promise<boolean> {
    const { kind } = source;
    const most = MAX_ENTRIES + this.#unreadable.size;
    const seen = await this.#database.run(
      waitingStores(kind),
      'readonly',
      (transaction) => readWaiting(transaction, kind, { most }),
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
    const isAll = sequences.size < most && draft.last === keys.at(-1);
    await this.#addSegment(kind, draft, { seen, isAll }, signal);
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
    for (const key of draft.unreadable) this.#unreadable.set(`${source.kind} ${key}`, 0);
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
    const unreadable = new Set<string>();
    let dealt = 0;
    for await (const batch of readEntries(this.#database, source, keys, signal)) {
      for (const key of batch.unreadable) unreadable.add(key);
      let end = dealt + batch.read;
      for (const found of batch.found) {
        const weights = await weigh(source.fieldsOf(found), slices);
        await builder.add(found.key, weights, source.sizeOf(found) + ENTRY_SIZE, slices);
        if (slices.isOver) await slices.next();
        if (!builder.isFull) continue;
        end = positionOf(keys, found.key) + 1;
        break;
      }
      dealt = end;
      if (builder.isFull) break;
    }
    const read = keys.slice(0, dealt).filter((key) => !unreadable.has(key));
    const built = await builder.finish(slices);
    return { ...built, read, last: keys[dealt - 1], unreadable: [...unreadable] };
  }

  /**
   * Takes what was read out of what waits, and out of older segments. What has changed since it was
   * read goes on waiting, and is stale in the new segment from the beginning.
   *
   * @param seen What waited before it was read.
   * @param isAll Whether that was all, and nothing of it was left for another segment.
   */
  async #addSegment(
    kind: SearchKind,
    draft: Draft,
    { seen, isAll }: { seen: Waiting; isAll: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const waited = [...seen.sequences.keys()];
    const last = (isAll ? waited.at(-1) : draft.last) ?? '';
    const range = [waited[0] ?? '', last] as const;
    const body = async (transaction: SearchTransaction<'readwrite'>): Promise<void> => {
      const { segments } = await this.#segments.read(transaction, kind);
      const waiting = await readWaiting(transaction, kind, { range });
      const { position, sequences } = waiting;
      const done = new Set(
        draft.read.filter((key) => {
          return sequences.has(key) && sequences.get(key) === seen.sequences.get(key);
        }),
      );
      forgetIn(transaction, segments, [...done]);
      takeOut(transaction, kind, done, sequences);
      // Another tab may have begun anew, or been faster: then its position counts.
      if (position !== undefined && position === seen.position) {
        pass(transaction, kind, done, sequences);
        const backlog = rawStore(transaction, 'search-backlog');
        if (isAll) backlog.delete(kind);
        else backlog.put(last, kind);
      }
      await putSegment(transaction, draft, done);
    };
    const stores = [...INDEX_STORES, ...waitingStores(kind)];
    await this.#database.run(stores, 'readwrite', body, { signal });
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
    const stores = [...INDEX_STORES, ...waitingStores(kind)];
    await this.#database.run(stores, 'readwrite', body, { signal });
  }
}
