import { checkAudience, checkPriority } from '../schema/limits.js';
import type { Annotations, Audience } from '../schema/schema.js';

/** The changes to an entry's annotations; absent fields stay as they are. */
export interface AnnotationsUpdate {
  /** The intended readers; null removes them. */
  audience?: Audience[] | null | undefined;
  /** The importance; null removes it. */
  priority?: number | null | undefined;
}

/** @throws {StoreError} `invalid-argument` unless both are absent, null or within their limits. */
export function checkAnnotationsUpdate({ audience, priority }: AnnotationsUpdate): void {
  if (audience !== undefined && audience !== null) checkAudience(audience);
  if (priority !== undefined && priority !== null) checkPriority(priority);
}

/** Returns the record with these changes. A removed annotation is absent, not null or undefined. */
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

/** Whether two records have the same annotations. */
export function sameAnnotations(a: Annotations, b: Annotations): boolean {
  return a.priority === b.priority && sameStrings(a.audience, b.audience);
}

/** Whether two arrays hold the same strings in the same order. An absent array differs from `[]`. */
export function sameStrings(a?: readonly string[], b?: readonly string[]): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
