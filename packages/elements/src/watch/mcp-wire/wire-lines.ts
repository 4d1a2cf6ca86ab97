import { Slices } from '../../reading/slices.js';
import { nameOfEntry, subjectOf } from './render-row.js';
import { containsText, isFailure, type WireEntry } from './wire-entry.js';
import type { WireRecorder } from './wire-recorder.js';

/** The lines that the user wants to see. */
export interface WireFilter {
  /** The text in the line or in its messages; empty for all. */
  text: string;
  /** The method; empty for all. */
  method: string;
  onlyFailures: boolean;
}

export const NO_FILTER: WireFilter = { text: '', method: '', onlyFailures: false };

/** The maximum number of methods that are offered, because a server chooses the names of its messages. */
const MAX_METHODS = 100;

/** The lines of a recorder that the user wants to see. */
export class WireLines {
  /** All lines, and those that pass the filter, in the state of the last {@link update}. */
  entries: readonly WireEntry[] = [];
  shown: readonly WireEntry[] = [];
  /** The notifications about a request, by its number: they are in its line, unless lines are filtered. */
  notifications: ReadonlyMap<number, readonly WireEntry[]> = new Map();
  /** The methods that occur, in alphabetical order. */
  methods: readonly string[] = [];
  filter = NO_FILTER;
  /** Whether {@link update} has work to do. */
  isOutdated = true;
  readonly #onchange: () => void;
  #recorder: WireRecorder | undefined;
  #listening = new AbortController();
  /** The lines that were searched, with the answer that they had then. */
  #searched = new WeakMap<WireEntry, { answer: unknown; isMatch: boolean }>();
  #search: AbortController | undefined;

  /** @param onchange Called when {@link update} has work to do. */
  constructor(onchange: () => void) {
    this.#onchange = onchange;
  }

  get isFiltered(): boolean {
    const { text, method, onlyFailures } = this.filter;
    return text !== '' || method !== '' || onlyFailures;
  }

  /** Whether some lines have not been searched yet. */
  get isSearching(): boolean {
    return this.#search !== undefined;
  }

  /** Follows a recorder, until `stop()` or another recorder. */
  follow(recorder: WireRecorder | undefined): void {
    this.stop();
    this.#recorder = recorder;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    recorder?.addEventListener('change', () => this.#change(), { signal });
    this.#change();
  }

  stop(): void {
    this.#listening.abort();
    this.#stopSearch();
  }

  clear(): void {
    this.#recorder?.clear();
  }

  changeFilter(change: Partial<WireFilter>): void {
    this.filter = { ...this.filter, ...change };
    if (change.text !== undefined) this.#stopSearch();
    this.#change();
  }

  /** Updates the lines. */
  update(): void {
    this.isOutdated = false;
    this.entries = this.#recorder?.entries ?? [];
    const methods = new Set<string>();
    for (const { method } of this.entries)
      if (method !== '' && methods.size < MAX_METHODS) methods.add(method);
    this.methods = [...methods].toSorted();
    if (this.filter.text !== '') void this.#searchNew();
    // The line of a request may have been dropped before theirs.
    const oldest = this.entries[0]?.number ?? 0;
    const isAlone = ({ requestNumber = 0 }: WireEntry): boolean => requestNumber < oldest;
    const notifications = new Map<number, WireEntry[]>();
    for (const entry of this.entries) {
      const { requestNumber } = entry;
      if (requestNumber === undefined || isAlone(entry)) continue;
      const others = notifications.get(requestNumber);
      if (others) others.push(entry);
      else notifications.set(requestNumber, [entry]);
    }
    this.notifications = notifications;
    this.shown = this.entries.filter((entry) =>
      this.isFiltered ? this.#passes(entry) : isAlone(entry),
    );
  }

  #passes(entry: WireEntry): boolean {
    const { text, method, onlyFailures } = this.filter;
    return (
      (method === '' || entry.method === method) &&
      (!onlyFailures || isFailure(entry)) &&
      (text === '' || this.#searched.get(entry)?.isMatch === true)
    );
  }

  #change(): void {
    this.isOutdated = true;
    this.#onchange();
  }

  #stopSearch(): void {
    this.#search?.abort();
    this.#search = undefined;
    this.#searched = new WeakMap();
  }

  /** Searches the lines that have not been searched yet, in slices. */
  async #searchNew(): Promise<void> {
    const isKnown = (entry: WireEntry): boolean => {
      const found = this.#searched.get(entry);
      return found !== undefined && (found.isMatch || found.answer === entry.answer);
    };
    const unknown = this.entries.filter((entry) => !isKnown(entry));
    if (this.#search || unknown.length === 0) return;
    const search = new AbortController();
    this.#search = search;
    const needle = this.filter.text.toLowerCase();
    const slices = new Slices(search.signal, () => this.#change());
    try {
      for (const entry of unknown) {
        await slices.next();
        this.#searched.set(entry, { answer: entry.answer, isMatch: isMatch(entry, needle) });
      }
    } catch {
      // The user has changed the text.
      return;
    }
    this.#search = undefined;
    this.#change();
  }
}

/** Whether a line or its messages contain a text in lower case. */
function isMatch(entry: WireEntry, needle: string): boolean {
  const line = `${nameOfEntry(entry)} ${subjectOf(entry)}`.toLowerCase();
  return (
    line.includes(needle) ||
    containsText(entry.message, needle) ||
    containsText(entry.answer, needle)
  );
}
