import type { Database } from '../database.js';
import type { StoreChanges } from '../store-changes.js';
import { isUnreadable } from '../unreadable-entry.js';
import { storeErrorOf } from '../store-error.js';
import { IndexSchedule } from './index-schedule.js';
import { Segments } from './index-state.js';
import { Indexer } from './indexer.js';
import { runSearch, type Search, type SearchResult } from './run-search.js';
import { startOver } from './start-over.js';

/**
 * The full-text index of notes and files, kept in the database.
 *
 * A search asks the segments, which say what the entries were when they were indexed, and looks itself
 * at what has changed since: the transaction of each change has written that down. So it is right at
 * whatever state the index is, in every tab, and the index may be brought up to date at leisure.
 */
export class SearchIndex {
  readonly #database: Database;
  readonly #segments = new Segments();
  readonly #indexer: Indexer;
  readonly #schedule: IndexSchedule;
  readonly #stopping = new AbortController();
  #isMended = false;

  constructor(database: Database, changes: Pick<StoreChanges, 'listen'>) {
    this.#database = database;
    this.#indexer = new Indexer(database, this.#segments);
    this.#schedule = new IndexSchedule(() => this.#updateAlone({ ifAvailable: true }));
    changes.listen((batch) => {
      if (batch.some(({ kind }) => kind === 'everything')) this.#segments.clear();
      this.#schedule.changed(batch.length);
    });
    // What the last session has left, or an earlier version.
    this.#schedule.changed(1);
  }

  /** Brings the index up to date now, rather than soon. Rejects with a `StoreError`. */
  async update(): Promise<void> {
    await this.#updateAlone({});
  }

  /** Ends what runs in the background. */
  stop(): void {
    this.#schedule.stop();
    this.#stopping.abort(storeErrorOf('closed'));
  }

  /** Finds entries in which each term begins some word. Rejects with a `StoreError`. */
  async search<Record, Match>(search: Search<Record, Match>): Promise<SearchResult<Match>> {
    const run = () => runSearch(this.#database, this.#segments, search);
    return await run().catch((error: unknown) => this.#mend(error).then(run));
  }

  /** Makes the index anew, once, where it cannot be read; rejects with any other error. */
  async #mend(error: unknown): Promise<void> {
    if (!isUnreadable(error) || this.#isMended) throw error;
    this.#isMended = true;
    await startOver(this.#database);
    this.#segments.clear();
    this.#schedule.changed(1);
  }

  /** Resolves with false where another tab is at it and there is no waiting. */
  async #updateAlone(options: LockOptions): Promise<boolean> {
    const { signal } = this.#stopping;
    const update = async (): Promise<true> => {
      const run = () => this.#indexer.run(signal);
      await run().catch((error: unknown) => this.#mend(error).then(run));
      return true;
    };
    // An insecure context has no locks: then two tabs may do the same work.
    if (!('locks' in navigator)) return await update();
    return await navigator.locks.request(
      `inpage-mcp:${this.#database.name}:search-index`,
      options,
      (lock) => (lock ? update() : false),
    );
  }
}
