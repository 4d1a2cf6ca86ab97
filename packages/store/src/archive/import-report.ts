import type { Skipped } from './manifest.js';

/** The outcomes for the notes, or the files, of an archive. */
export interface ImportCounts {
  /** The number of new entries: no entry with this id or path existed. */
  added: number;
  /** The number of stored entries that had a lower revision and were replaced. */
  updated: number;
  /** The number of entries that are the same as the stored ones. */
  unchanged: number;
  /** The number of stored entries that have a higher revision and stay. */
  older: number;
  /** The number of entries whose stored entry has the same revision and another content: both exist now. */
  copied: number;
}

/** The outcome for one entry. */
export type Outcome = keyof ImportCounts;

/** The result of an import. */
export interface ImportReport {
  /** The numbers of notes, by outcome. */
  notes: ImportCounts;
  /** The numbers of files, by outcome. */
  files: ImportCounts;
  /**
   * The names of the files that another program has changed since the export, the first
   * `MAX_LISTED_SKIPPED`. They were imported as they are now.
   */
  edited: string[];
  /** The first `MAX_LISTED_SKIPPED` entries that were not imported, and why. */
  skipped: Skipped[];
  /** The number of entries that were not imported. */
  skippedCount: number;
}

/** The maximum number of skipped entries that a report lists. */
const MAX_LISTED_SKIPPED = 1_000;

/** The maximum length of a name in a report, in code units. */
const MAX_SHOWN_NAME = 300;

/** Creates an empty report. */
export function emptyReport(): ImportReport {
  return { notes: noCounts(), files: noCounts(), edited: [], skipped: [], skippedCount: 0 };
}

/** Adds an entry that was not imported. */
export function skip(report: ImportReport, name: string, reason: string): void {
  report.skippedCount += 1;
  if (report.skipped.length >= MAX_LISTED_SKIPPED) return;
  report.skipped.push({ name: name.slice(0, MAX_SHOWN_NAME), reason });
}

/** Adds a name to a list of a report. */
export function addName(names: string[], name: string): void {
  if (names.length < MAX_LISTED_SKIPPED) names.push(name.slice(0, MAX_SHOWN_NAME));
}

function noCounts(): ImportCounts {
  return { added: 0, updated: 0, unchanged: 0, older: 0, copied: 0 };
}
