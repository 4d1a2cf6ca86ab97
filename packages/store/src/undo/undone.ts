import type { NoteSummary, StoreChange, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';

type Stored = NoteSummary | StoredFile;

/** The result of undoing a change. */
export interface Undone {
  /** The record; null after a deletion. */
  result: Stored | null;
  changes: StoreChange[];
  /**
   * The former and the new record of each entry that is again as it was before the change, except for
   * revision and time.
   */
  restored: readonly (readonly [was: Stored, is: Stored])[];
}

/** Whether two values that the browser can store as JSON are the same, such as records. */
export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

/** The members of an object in one order, because their original order depends on which was set first. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The error of a change that can no longer be undone without taking something from others. */
export function changedSince(cause?: unknown): StoreError {
  return new StoreError('conflict', 'It was changed since, at the same place.', { cause });
}
