import type { Database } from '../database/database.js';
import type { StoreChanges } from '../changes/store-changes.js';
import { storeErrorOf } from '../errors/store-error.js';
import { IndexDamage, readSurely } from './index-damage.js';
import { IndexSchedule } from './index-schedule.js';
import { Segments } from './index-state.js';
import { Indexer } from './indexer.js';
import { runSearch, type Search, type SearchResult } from './run-search.js';
import { startOver } from './start-over.js';

/** An index that is damaged again so soon is not made anew: something else is wrong. */
const MEND_AGAIN_MS = 300_000;

/** The lock under which one tab at a time works with the index. */
export function indexLock(databaseName: string): string {
  return `inpage-mcp:${databaseName}:search-index`;
}

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
  #mendedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, changes: Pick<StoreChanges, 'listen'>) {
    this.#database = database;
    this.#indexer = new Indexer(database, this.#segments);
    this.#schedule = new IndexSchedule(() => this.#update({ ifAvailable: true }));
    changes.listen((batch) => {
      if (batch.some(({ kind }) => kind === 'everything')) {
        this.#segments.clear();
        this.#indexer.forgetUnreadable();
      }
      this.#schedule.changed(batch.length);
    });
    // What the last session has left, or an earlier version.
    this.#schedule.changed(1);
  }

  /** Brings the index up to date now, rather than soon. Rejects with a `StoreError`. */
  async update(): Promise<void> {
    await this.#update({ signal: this.#stopping.signal });
  }

  /** Ends what runs in the background. */
  stop(): void {
    this.#schedule.stop();
    this.#stopping.abort(storeErrorOf('closed'));
  }

  /** Finds entries in which each term begins some word. Rejects with a `StoreError`. */
  async search<Record, Match>(search: Search<Record, Match>): Promise<SearchResult<Match>> {
    const { signal: given } = search;
    const { signal: stopping } = this.#stopping;
    return await this.#mending(
      given,
      () => runSearch(this.#database, this.#segments, search),
      async () => {
        const signal = given ? AbortSignal.any([given, stopping]) : stopping;
        await this.#alone({ signal }, () => this.#startOver(signal));
        this.#schedule.changed(1);
      },
    );
  }

  /** Resolves with false where another tab is at it and there is no waiting. */
  async #update(options: LockOptions): Promise<boolean> {
    const { signal } = this.#stopping;
    return await this.#alone(options, async () => {
      await this.#mending(
        signal,
        () => this.#indexer.run(signal),
        () => this.#startOver(signal),
      );
    });
  }

  /** Works with the index; where that turns out to be damaged it is mended, and the work begun again. */
  async #mending<Value>(
    signal: AbortSignal | undefined,
    work: () => Promise<Value>,
    mend: () => Promise<void>,
  ): Promise<Value> {
    const wasMended = this.#isMended;
    try {
      return await readSurely(this.#database, signal, work);
    } catch (error) {
      if (!(error instanceof IndexDamage) || wasMended) throw error;
      await mend();
      return await work();
    }
  }

  get #isMended(): boolean {
    return performance.now() - this.#mendedAt < MEND_AGAIN_MS;
  }

  async #startOver(signal: AbortSignal): Promise<void> {
    // Somebody else may have done it, while this one waited for its turn.
    if (this.#isMended) return;
    await startOver(this.#database, signal);
    this.#mendedAt = performance.now();
    this.#segments.clear();
  }

  /** Works while no other tab does, so far as there are locks: an insecure context has none. */
  async #alone(options: LockOptions, work: () => Promise<void>): Promise<boolean> {
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
