import { checkAudience, checkPriority } from '../limits.js';
import type { Annotations } from '../schema.js';
import { StoreError } from '../store-error.js';
import { UnfitEntry } from './unfit-entry.js';

/** The latest time that there is, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/** No entry was ever changed so often; and numbers beyond 2^53 would no longer count on. */
const MAX_REVISION = 2 ** 48;

/** @throws {UnfitEntry} unless it is a time that a calendar has. */
export function checkTime(value: unknown): asserts value is number {
  if (Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME) return;
  throw new UnfitEntry('It has a time that is none.');
}

/** @throws {UnfitEntry} unless it is one. */
export function checkRevision(value: unknown): asserts value is number {
  const revision = Number.isSafeInteger(value) ? (value as number) : 0;
  if (revision >= 1 && revision <= MAX_REVISION) return;
  throw new UnfitEntry('It has a revision that is none.');
}

/**
 * What is said of an entry, where something is.
 *
 * @throws {StoreError} `invalid-argument` unless it is within the limits.
 */
export function annotationsOf({
  audience,
  priority,
}: {
  audience?: unknown;
  priority?: unknown;
}): Annotations {
  const annotations: Annotations = {};
  if (audience !== undefined) {
    checkAudience(audience);
    annotations.audience = audience;
  }
  if (priority !== undefined) {
    checkPriority(priority);
    annotations.priority = priority;
  }
  return annotations;
}

/** Why an entry cannot come in; undefined where the error is not about the entry. */
export function reasonOf(error: unknown): string | undefined {
  const isAboutEntry =
    error instanceof UnfitEntry ||
    (error instanceof StoreError && error.code === 'invalid-argument');
  return isAboutEntry ? error.message : undefined;
}
