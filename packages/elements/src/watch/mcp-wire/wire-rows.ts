import type { ContentSearch } from './content-search.js';
import { isHousekeeping } from './summary.js';
import { isFailure, type WireEntry } from './wire-entry.js';

/** A line, or several lines of housekeeping as one. */
export type WireRow =
  | { readonly kind: 'entry'; readonly key: string; readonly entry: WireEntry; level: 1 | 2 }
  | {
      readonly kind: 'fold';
      readonly key: string;
      readonly entries: readonly WireEntry[];
      isOpen: boolean;
    };

/** What the user wants to see. */
export interface WireFilter {
  /** In the line or in its messages; empty for all. */
  text: string;
  /** Empty for all. */
  method: string;
  direction: '' | WireEntry['direction'];
  onlyFailures: boolean;
}

/** Whether a filter lets everything through. */
export function isOff({ text, method, direction, onlyFailures }: WireFilter): boolean {
  return text === '' && method === '' && direction === '' && !onlyFailures;
}

/** The lines that pass a filter. */
export function filterEntries(
  entries: readonly WireEntry[],
  filter: WireFilter,
  search: ContentSearch,
): readonly WireEntry[] {
  return entries.filter(
    (entry) =>
      (filter.direction === '' || entry.direction === filter.direction) &&
      (filter.method === '' || entry.method === filter.method) &&
      (!filter.onlyFailures || isFailure(entry)) &&
      (filter.text === '' || search.matches(entry)),
  );
}

/**
 * The rows for some lines: consecutive lines of housekeeping are folded into one row.
 *
 * @param unfolded The keys of the folds that the user has opened.
 */
export function rowsOf(entries: readonly WireEntry[], unfolded: ReadonlySet<string>): WireRow[] {
  const rows: WireRow[] = [];
  let run: WireEntry[] = [];
  const endRun = (): void => {
    pushRun(rows, run, unfolded);
    run = [];
  };
  for (const entry of entries) {
    if (isHousekeeping(entry) && !isFailure(entry)) run.push(entry);
    else {
      endRun();
      rows.push(rowOf(entry));
    }
  }
  endRun();
  return rows;
}

/** Each line as a row. */
export const flatRowsOf = (entries: readonly WireEntry[]): WireRow[] =>
  entries.map((entry) => rowOf(entry));

function pushRun(rows: WireRow[], run: WireEntry[], unfolded: ReadonlySet<string>): void {
  if (run.length < 2) return void rows.push(...flatRowsOf(run));
  const key = `fold ${run[0]!.number}`;
  const isOpen = unfolded.has(key);
  rows.push({ kind: 'fold', key, entries: run, isOpen });
  if (isOpen) for (const entry of run) rows.push(rowOf(entry, 2));
}

function rowOf(entry: WireEntry, level: 1 | 2 = 1): WireRow {
  return { kind: 'entry', key: String(entry.number), entry, level };
}
