import { ContentSearch } from './content-search.js';
import type { WireEntry } from './wire-entry.js';
import type { WireRecorder } from './wire-recorder.js';
import {
  filterEntries,
  flatRowsOf,
  isOff,
  rowsOf,
  type WireFilter,
  type WireRow,
} from './wire-rows.js';
import { methodsOf } from './wire-toolbar.js';

export const NO_FILTER: WireFilter = { text: '', method: '', direction: '', onlyFailures: false };

/** The lines of a recorder as the user wants to see them: filtered, folded, and maybe paused. */
export class WireLines {
  /** As of the last {@link update}. */
  rows: readonly WireRow[] = [];
  methods: readonly string[] = [];
  entries: readonly WireEntry[] = [];
  readonly #onchange: () => void;
  readonly #search: ContentSearch;
  readonly #unfolded = new Set<string>();
  #filter = NO_FILTER;
  #recorder: WireRecorder | undefined;
  #listening = new AbortController();
  #isPaused = false;
  #totalAtPause = 0;
  #isOutdated = true;

  /** @param onchange Called when {@link update} has something to do. */
  constructor(onchange: () => void) {
    this.#onchange = onchange;
    this.#search = new ContentSearch(() => this.#change());
  }

  get filter(): WireFilter {
    return this.#filter;
  }

  get isFiltered(): boolean {
    return !isOff(this.#filter);
  }

  get isSearching(): boolean {
    return this.#search.isRunning;
  }

  /** Whether {@link update} has something to do. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** The lines that pass the filters, folded ones too. */
  get shownEntries(): WireEntry[] {
    return this.rows.flatMap((row) =>
      row.kind === 'entry' ? [row.entry] : row.isOpen ? [] : row.entries,
    );
  }

  /** How many lines were recorded since the pause began. */
  get newerCount(): number {
    return this.#isPaused && this.#recorder ? this.#recorder.total - this.#totalAtPause : 0;
  }

  /** Follows a recorder, until `stop()` or another recorder. */
  follow(recorder: WireRecorder | undefined): void {
    this.stop();
    this.#recorder = recorder;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    recorder?.addEventListener('change', () => this.#change(), { signal });
    this.#takeEntries();
    this.#change();
  }

  stop(): void {
    this.#listening.abort();
    this.#search.stop();
  }

  /** Keeps the lines as they are, or shows the newest again. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#totalAtPause = this.#recorder?.total ?? 0;
    this.#takeEntries();
    this.#change();
  }

  clear(): void {
    this.#recorder?.clear();
    this.#unfolded.clear();
  }

  changeFilter(change: Partial<WireFilter>): void {
    this.#filter = { ...this.#filter, ...change };
    this.#change();
  }

  fold(key: string, isOpen: boolean): void {
    if (isOpen) this.#unfolded.add(key);
    else this.#unfolded.delete(key);
    this.#change();
  }

  /** Brings the rows up to date. */
  update(): void {
    this.#isOutdated = false;
    if (!this.#isPaused) this.#takeEntries();
    const { entries } = this;
    this.#search.forgetBefore(entries[0]?.number ?? Infinity);
    this.#search.search(this.#filter.text, entries);
    this.methods = methodsOf(entries);
    this.rows = this.isFiltered
      ? flatRowsOf(filterEntries(entries, this.#filter, this.#search))
      : rowsOf(entries, this.#unfolded);
  }

  #takeEntries(): void {
    this.entries = this.#recorder?.entries ?? [];
  }

  #change(): void {
    this.#isOutdated = true;
    this.#onchange();
  }
}
