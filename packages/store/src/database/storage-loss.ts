import type { Head, SearchKind } from '../schema/schema.js';

/**
 * That data is gone, or cannot be read.
 *
 * - `cleared`: the database is another one: the site's data was cleared, or the browser evicted it.
 * - `rolled-back`: the last writes are missing, as after damage to the disk.
 * - `damaged`: the browser could not read its files and made a new, empty database.
 * - `unreadable`: the rest is there, but these `entries` cannot be read.
 */
export interface StorageLoss {
  reason: 'cleared' | 'rolled-back' | 'damaged' | 'unreadable';
  /** How much there was; absent where that is not known. */
  before?: { notes: number; files: number };
  /** How much there is. */
  now: { notes: number; files: number };
  /** What cannot be read. */
  entries?: { kind: SearchKind; key: string }[];
}

/**
 * What was lost, judged by what was known before.
 *
 * @param known Undefined where nothing is: on the first run.
 * @param isDamaged Whether the browser said that it had to start over.
 */
export function lossOf(
  known: Head | undefined,
  head: Head,
  isDamaged: boolean,
): StorageLoss | undefined {
  const now = countsOf(head);
  const before = known && { before: countsOf(known) };
  if (isDamaged) return { reason: 'damaged', ...before, now };
  if (!known) return undefined;
  if (known.id === head.id) {
    return head.sequence < known.sequence ? { reason: 'rolled-back', ...before, now } : undefined;
  }
  // Where nothing was kept, nothing is lost.
  return known.notes + known.files > 0 ? { reason: 'cleared', ...before, now } : undefined;
}

/** Whether something is a marker: it comes from where any script of the origin can write. */
export function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const { id, sequence, notes, files } = value as { [key in keyof Head]?: unknown };
  return typeof id === 'string' && [sequence, notes, files].every(isCount);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function countsOf({ notes, files }: Head): { notes: number; files: number } {
  return { notes, files };
}
