import { checkAudience, checkPriority } from '../schema/limits.js';
import type { Annotations } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { UnfitEntry } from './unfit-entry.js';

/** The latest time that there is, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/**
 * The highest revision that comes in. It leaves room for more updates than there will ever be: beyond
 * 2^53 numbers would no longer count on.
 */
const MAX_REVISION = Number.MAX_SAFE_INTEGER - 2 ** 40;

/** @throws {UnfitEntry} unless it is a time that a calendar has. */
export function checkTime(value: unknown): asserts value is number {
  if (Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME) return;
  throw new UnfitEntry('It has a time that is none.');
}

/**
 * The revision that an entry comes in with. One that leaves no room for updates becomes the highest
 * that does: the store may itself have come past that, and no entry is to be lost for it.
 *
 * @throws {UnfitEntry} unless it is one.
 */
export function revisionOf(value: unknown): number {
  const revision = Number.isSafeInteger(value) ? (value as number) : 0;
  if (revision < 1) throw new UnfitEntry('It has a revision that is none.');
  return Math.min(revision, MAX_REVISION);
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
