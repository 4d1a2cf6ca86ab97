import type { Skipped } from './manifest.js';

/** What became of the notes, or of the files, of an archive. */
export interface ImportCounts {
  /** There was none of the id or path. */
  added: number;
  /** There was one of a lower revision, which was replaced. */
  updated: number;
  /** There is the same already. */
  unchanged: number;
  /** There is one of a higher revision, which stays. */
  older: number;
  /** There is another of the same revision: both are there now. */
  copied: number;
}

/** What became of one entry. */
export type Outcome = keyof ImportCounts;

/** What became of an archive that was brought in. */
export interface ImportReport {
  notes: ImportCounts;
  files: ImportCounts;
  /** What did not come in, and why: the first `MAX_LISTED_SKIPPED` of them. */
  skipped: Skipped[];
  /** How many did not come in. */
  skippedCount: number;
}

/** The most entries that a report names one by one. */
const MAX_LISTED_SKIPPED = 1_000;

/** The longest name that is shown, in code units. */
const MAX_SHOWN_NAME = 300;

/** A report of nothing. */
export function emptyReport(): ImportReport {
  return { notes: noCounts(), files: noCounts(), skipped: [], skippedCount: 0 };
}

/** Reports what did not come in. */
export function skip(report: ImportReport, name: string, reason: string): void {
  report.skippedCount += 1;
  if (report.skipped.length >= MAX_LISTED_SKIPPED) return;
  report.skipped.push({ name: name.slice(0, MAX_SHOWN_NAME), reason });
}

function noCounts(): ImportCounts {
  return { added: 0, updated: 0, unchanged: 0, older: 0, copied: 0 };
}
