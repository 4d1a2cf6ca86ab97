import { checkAudience, checkPriority } from '../schema/limits.js';
import type { Annotations, Audience } from '../schema/schema.js';

/** What is to change of an entry's annotations; what is absent stays. */
export interface AnnotationsUpdate {
  /** null removes it. */
  audience?: Audience[] | null;
  /** null removes it. */
  priority?: number | null;
}

/** @throws {StoreError} `invalid-argument` unless both are absent, null or within their limits. */
export function checkAnnotationsUpdate({ audience, priority }: AnnotationsUpdate): void {
  if (audience !== undefined && audience !== null) checkAudience(audience);
  if (priority !== undefined && priority !== null) checkPriority(priority);
}

/** The record with what is to change changed; a record never holds undefined or null in them. */
export function applyAnnotations<Entry extends Annotations>(
  entry: Entry,
  { audience, priority }: AnnotationsUpdate,
): Entry {
  const changed = { ...entry };
  if (audience === null) delete changed.audience;
  else if (audience !== undefined) changed.audience = [...audience];
  if (priority === null) delete changed.priority;
  else if (priority !== undefined) changed.priority = priority;
  return changed;
}

/** Whether two records say the same in them. */
export function sameAnnotations(a: Annotations, b: Annotations): boolean {
  return a.priority === b.priority && sameStrings(a.audience, b.audience);
}

/** Whether two arrays hold the same strings in the same order; absent is no empty array. */
export function sameStrings(a?: readonly string[], b?: readonly string[]): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
