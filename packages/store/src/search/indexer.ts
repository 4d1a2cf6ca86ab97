import type { Database, RunOptions } from '../database/database.js';
import { inLargeTurn } from '../database/transaction-turns.js';
import { MAX_NOTES_AT_ONCE } from '../schema/limits.js';
import {
  INDEX_STORES,
  type SearchTransaction,
  type KnownSegment,
  type SegmentCache,
} from './index-state.js';
import { noteBatches } from './note-batches.js';
import { type BuiltSegment, MAX_SEGMENT_SIZE, SegmentBuilder } from './segments/segment-builder.js';
import {
  markStale,
  enqueue,
  putSegment,
  rawStore,
  removeSegment,
  removePending,
  removePendingFiles,
} from './segments/segment-writes.js';
import { Yielder } from './words/yielder.js';
import { positionOf } from './segments/sorted-keys.js';
import { segmentsToCompact, liveKeys } from './compaction.js';
import {
  PENDING_STORES,
  type PendingNotes,
  readChangedBetween,
  readPending,
} from './pending-notes.js';
import { weigh } from './words/weights.js';

/**
 * The timeout of a transaction. It is long, because nothing waits for the result, and other tabs may write a
 * lot.
 */
const TIMEOUT_MS = 60_000;

/** The maximum number of notes with which a segment is begun. */
const MAX_NOTES = 4_096;

/** The number of segments that are built between two large writes: as many as one of those writes may need. */
const SEGMENTS_IN_TURN = Math.ceil(MAX_NOTES_AT_ONCE / MAX_NOTES);

/** The minimum that a note adds to the size of a segment: its id, and its place in postings. */
const NOTE_SIZE = 1_024;

const WRITTEN_STORES = [...INDEX_STORES, ...PENDING_STORES];

/** A segment that is not yet in the database. */
interface Draft extends BuiltSegment {
  /** The ids that were read, including those without a note. */
  read: string[];
  /** The last id that was processed; `undefined` if none was. */
  last: string | undefined;
}

/**
 * One update of the search index, one segment after the other. Each segment is written in one transaction
 * with everything that belongs to it. The indexer may therefore be stopped or crash at any moment, and two
 * indexers may safely do the same work.
 */
export class Indexer {
  readonly #database: Database;
  readonly #segments: SegmentCache;
  readonly #signal: AbortSignal;
  readonly #options: RunOptions;
  /** Notes that could not be read. They stay pending: the next update retries them. */
  readonly #unreadable = new Set<string>();

  constructor(database: Database, segments: SegmentCache, signal: AbortSignal) {
    this.#database = database;
    this.#segments = segments;
    this.#signal = signal;
    this.#options = { signal, timeoutMs: TIMEOUT_MS };
  }

  /** Rebuilds the segments of other rules that exist now. Rejects like {@link run}. */
  async rebuildForeign(): Promise<void> {
    for (const known of await this.#readSegments())
      if (known.isForeign) await this.#rebuild([known]);
  }

  /** Resolves once the index is up to date; rejects with a `StoreError`, or if it is aborted. */
  async run(): Promise<void> {
    while (await inLargeTurn(this.#database.name, this.#signal, () => this.#runTurn()));
  }

  /** Builds some segments. Resolves with false once the index is up to date. */
  async #runTurn(): Promise<boolean> {
    for (let built = 0; built < SEGMENTS_IN_TURN; built++) {
      // Compaction may add pending notes.
      if (!(await this.#indexPending()) && !(await this.#compact())) return false;
    }
    return true;
  }

  /** Builds a segment from pending notes. Returns whether there were any. */
  async #indexPending(): Promise<boolean> {
    const limit = MAX_NOTES + this.#unreadable.size;
    const seen = await this.#database.run(
      PENDING_STORES,
      'readonly',
      (transaction) => readPending(transaction, limit),
      this.#options,
    );
    const { position, sequences } = seen;
    const ids = [...sequences.keys()].filter((id) => !this.#unreadable.has(id));
    if (ids.length === 0 && position === undefined) return false;
    const draft = await this.#draft(ids);
    const isAll = sequences.size < limit && draft.last === ids.at(-1);
    await this.#addSegment(draft, seen, isAll);
    return true;
  }

  /** Compacts segments into one. Returns whether there were any to compact. */
  async #compact(): Promise<boolean> {
    const segments = await this.#readSegments();
    const own = segments.filter(({ isForeign }) => !isForeign);
    const group = segmentsToCompact(own, MAX_SEGMENT_SIZE);
    if (group.length > 0) await this.#rebuild(group);
    return group.length > 0;
  }

  async #readSegments(): Promise<KnownSegment[]> {
    const read = async (transaction: SearchTransaction<'readonly'>): Promise<KnownSegment[]> =>
      (await this.#segments.read(transaction)).segments;
    return await this.#database.run(INDEX_STORES, 'readonly', read, this.#options);
  }

  async #rebuild(group: readonly KnownSegment[]): Promise<void> {
    await this.#replaceSegments(await this.#draft(liveKeys(group)), group);
  }

  /** Reads notes until the segment is full, and inverts their words. */
  async #draft(ids: readonly string[]): Promise<Draft> {
    const yielder = new Yielder('background', this.#signal);
    const builder = new SegmentBuilder();
    let processed = 0;
    for await (const batch of noteBatches(this.#database, ids, this.#options)) {
      for (const id of batch.unreadable) this.#unreadable.add(id);
      let end = processed + batch.read;
      for (const { note, text } of batch.found) {
        const weights = await weigh(note, text, yielder);
        await builder.add(note.id, weights, text.length + NOTE_SIZE, yielder);
        if (yielder.isDue) await yielder.yield();
        if (!builder.isFull) continue;
        end = positionOf(ids, note.id) + 1;
        break;
      }
      processed = end;
      if (builder.isFull) break;
    }
    const read = ids.slice(0, processed).filter((id) => !this.#unreadable.has(id));
    return { ...(await builder.finish(yielder)), read, last: ids[processed - 1] };
  }

  /**
   * Writes a segment. Its notes are no longer pending, and become stale in older segments. If a
   * note has changed since it was read, it stays pending and is stale in the new segment.
   *
   * @param seen The pending notes before the read.
   * @param isAll Whether they were all pending notes, and the segment covers all of them.
   */
  async #addSegment(draft: Draft, seen: PendingNotes, isAll: boolean): Promise<void> {
    const ids = [...seen.sequences.keys()];
    const [first = '', last = ''] = [ids[0], isAll ? ids.at(-1) : draft.last];
    await this.#write(async (transaction) => {
      const { segments } = await this.#segments.read(transaction);
      const position = await transaction.objectStore('search-backlog').get('note');
      const changed = await readChangedBetween(transaction, first, last);
      const isInBacklog = (id: string): boolean =>
        position !== undefined && id > position && !changed.has(id);
      const done = new Set(
        draft.read.filter((id) => {
          const sequence = isInBacklog(id) ? 0 : changed.get(id);
          return sequence === seen.sequences.get(id);
        }),
      );
      markStale(transaction, segments, [...done]);
      removePending(transaction, done, changed);
      removePendingFiles(transaction);
      // Another tab may have reset the index, or been faster: then its position counts.
      if (position !== undefined && position === seen.position) {
        const skipped = ids.filter((id) => id <= last && isInBacklog(id) && !done.has(id));
        enqueue(transaction, skipped);
        const backlog = rawStore(transaction, 'search-backlog');
        if (isAll) backlog.delete('note');
        else backlog.put(last, 'note');
      }
      await putSegment(transaction, draft, done);
    });
  }

  /** Replaces segments with one. Notes that the new one does not contain become pending again. */
  async #replaceSegments(draft: Draft, group: readonly KnownSegment[]): Promise<void> {
    await this.#write(async (transaction) => {
      const { segments } = await this.#segments.read(transaction);
      const numbers = new Set(group.map(({ number }) => number));
      const replaced = segments.filter(({ number }) => numbers.has(number));
      // The segments that another tab has compacted since are left out.
      const keys = liveKeys(replaced);
      // Only the notes of this range are read, because there may be very many others.
      const [first = '', last = ''] = [keys[0], keys.at(-1)];
      const changed = await readChangedBetween(transaction, first, last);
      const position = await transaction.objectStore('search-backlog').get('note');
      const isPending = (id: string): boolean =>
        changed.has(id) || (position !== undefined && id > position);
      const live = new Set(keys.filter((id) => !isPending(id)));
      const built = new Set(draft.segment.keys);
      enqueue(
        transaction,
        [...live].filter((id) => !built.has(id)),
      );
      for (const { number } of replaced) removeSegment(transaction, number);
      await putSegment(transaction, draft, live);
    });
  }

  async #write(
    body: (transaction: SearchTransaction<'readwrite'>) => Promise<void>,
  ): Promise<void> {
    await this.#database.run(WRITTEN_STORES, 'readwrite', body, this.#options);
  }
}
