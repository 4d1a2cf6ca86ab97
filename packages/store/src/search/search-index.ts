import type { Database } from '../database/database.js';
import type { StoreChanges } from '../changes/store-changes.js';
import { storeErrorOf } from '../errors/store-error.js';
import { IndexDamage, retryUnreadable } from './index-damage.js';
import { IndexSchedule } from './index-schedule.js';
import { SegmentCache } from './index-state.js';
import { Indexer } from './indexer.js';
import { PENDING_STORES, readIdsAfter } from './pending-notes.js';
import { type NoteMatches, runSearch, type Search } from './run-search.js';
import { resetIndex } from './reset-index.js';

/**
 * The minimum interval between two resets of a damaged index. If it is damaged again earlier, it is not
 * reset, because something else is wrong.
 */
const MIN_RESET_INTERVAL_MS = 300_000;

/** The lock that lets one tab at a time update the index. */
export function indexLock(databaseName: string): string {
  return `inpage-mcp:${databaseName}:search-index`;
}

/**
 * The full-text index of notes, kept in the database.
 *
 * A search queries the segments, which describe the notes at the time of indexing, and scans the notes that
 * have changed since: the transaction of each change records their ids. It also scans the notes of foreign
 * segments, which another version has built by other rules, and all notes while the index is damaged. Results
 * are therefore correct in every tab even if the index is outdated, so that it may be updated later.
 *
 * Each tab rebuilds foreign segments only once, after its start, so that two versions do not rebuild them in
 * turn. The index then follows the rules of the tab that was opened last, which is the newer one after a
 * deployment.
 */
export class SearchIndex {
  readonly #database: Database;
  readonly #segments = new SegmentCache();
  readonly #schedule: IndexSchedule;
  readonly #stopping = new AbortController();
  #resetAt = Number.NEGATIVE_INFINITY;
  #hasRebuiltForeign = false;

  constructor(database: Database, changes: Pick<StoreChanges, 'listen'>) {
    this.#database = database;
    this.#schedule = new IndexSchedule(() => this.#update({ ifAvailable: true }));
    changes.listen((batch) => {
      if (batch.some(({ kind }) => kind === 'everything')) this.#segments.clear();
      const { length } = batch.filter(({ kind }) => kind !== 'file');
      if (length > 0) this.#schedule.addChanges(length);
    });
    // The last session, or an earlier version, may have left pending notes.
    this.#schedule.addChanges(1);
  }

  /** Updates the index now, without the usual delay. Rejects with a `StoreError`. */
  async update(): Promise<void> {
    await this.#update({ signal: this.#stopping.signal });
  }

  /** Stops the work in the background. */
  stop(): void {
    this.#schedule.stop();
    this.#stopping.abort(storeErrorOf('closed'));
  }

  /** Finds notes in which each term is the start of a word. Rejects with a `StoreError`. */
  async search(search: Search): Promise<NoteMatches> {
    const { signal: callerSignal } = search;
    const { signal: stopping } = this.#stopping;
    const run = (within = search.within): Promise<NoteMatches> =>
      runSearch(this.#database, this.#segments, { ...search, within });
    try {
      return await this.#withRepair(callerSignal, run, async () => {
        const signal = callerSignal ? AbortSignal.any([callerSignal, stopping]) : stopping;
        await this.#withLock({ signal }, () => this.#resetIndex(signal));
        this.#schedule.addChanges(1);
      });
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      const ids = await this.#database.run(
        PENDING_STORES,
        'readonly',
        (transaction) => readIdsAfter(transaction, ''),
        { signal: callerSignal },
      );
      return await run(new Set(ids));
    }
  }

  /** Resolves with false if `ifAvailable` is set and another tab holds the lock. */
  async #update(options: LockOptions): Promise<boolean> {
    const { signal } = this.#stopping;
    return await this.#withLock(options, async () => {
      await this.#withRepair(
        signal,
        async () => {
          const indexer = new Indexer(this.#database, this.#segments, signal);
          if (!this.#hasRebuiltForeign) await indexer.rebuildForeign();
          this.#hasRebuiltForeign = true;
          await indexer.run();
        },
        () => this.#resetIndex(signal),
      );
    });
  }

  /** Calls `work`. If the index is damaged, repairs it and calls `work` again. */
  async #withRepair<Value>(
    signal: AbortSignal | undefined,
    work: () => Promise<Value>,
    repair: () => Promise<void>,
  ): Promise<Value> {
    const wasJustReset = this.#wasJustReset;
    try {
      return await retryUnreadable(this.#database, signal, work);
    } catch (error) {
      if (!(error instanceof IndexDamage) || wasJustReset) throw error;
      await repair();
      return await work();
    }
  }

  get #wasJustReset(): boolean {
    return performance.now() - this.#resetAt < MIN_RESET_INTERVAL_MS;
  }

  async #resetIndex(signal: AbortSignal): Promise<void> {
    // Another call may have reset it while this one waited for the lock.
    if (this.#wasJustReset) return;
    await resetIndex(this.#database, signal);
    this.#resetAt = performance.now();
    this.#segments.clear();
  }

  /** Calls `work` under the lock. An insecure context has no locks: there it just calls `work`. */
  async #withLock(options: LockOptions, work: () => Promise<void>): Promise<boolean> {
    const run = async (): Promise<true> => {
      await work();
      return true;
    };
    const { locks }: { locks?: LockManager } = navigator;
    if (!locks) return await run();
    return await locks.request(indexLock(this.#database.name), options, (lock) =>
      lock ? run() : false,
    );
  }
}
