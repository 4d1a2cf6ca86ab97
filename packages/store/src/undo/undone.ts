import type { NoteSummary, StoreChange, StoredFile } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';

/** What undoing a change has done. */
export interface Undone {
  /** The record; null after a deletion. */
  result: NoteSummary | StoredFile | null;
  changes: StoreChange[];
  /** Whether the entry is as it was before the change, as nobody has written to it since. */
  isExact: boolean;
}

/** The error of a change that can no longer be undone without taking something from others. */
export function changedSince(cause?: unknown): StoreError {
  return new StoreError('conflict', 'It was changed since, at the same place.', { cause });
}
