import type { Head, EntryKind } from '../schema/schema.js';

/**
 * A report that data is lost or cannot be read.
 *
 * - `cleared`: this is another database: the site's data was cleared, or the browser evicted it.
 * - `rolled-back`: the last writes are missing, as after damage to the disk.
 * - `damaged`: the browser could not read its files and made a new, empty database.
 * - `unreadable`: only these `entries` cannot be read.
 */
export interface StorageLoss {
  /** The kind of loss: see {@link StorageLoss}. */
  reason: 'cleared' | 'rolled-back' | 'damaged' | 'unreadable';
  /** The numbers of notes and files before; absent if unknown. */
  before?: { notes: number; files: number };
  /** The numbers of notes and files now. */
  now: { notes: number; files: number };
  /** The entries that cannot be read. */
  entries?: { kind: EntryKind; key: string }[];
}

/**
 * Compares the database with its last known state; undefined if nothing was lost.
 *
 * @param known Undefined if unknown, as on the first run.
 * @param isDamaged Whether the browser reported that it made a new database.
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
  // An empty database loses nothing.
  return known.notes + known.files > 0 ? { reason: 'cleared', ...before, now } : undefined;
}

/** Whether a value is a head. Any script of the origin can write to the place where it is stored. */
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
