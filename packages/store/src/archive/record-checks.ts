import { checkAudience, checkPriority } from '../schema/limits.js';
import type { Annotations } from '../schema/schema.js';
import { StoreError } from '../errors/store-error.js';
import { InvalidEntry } from './invalid-entry.js';

/** The latest time that a Date can hold, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/**
 * The highest revision of an imported entry. It leaves room for 2^40 updates: above 2^53, numbers
 * cannot be incremented by one.
 */
const MAX_REVISION = Number.MAX_SAFE_INTEGER - 2 ** 40;

/** @throws {InvalidEntry} unless the value is a time that a Date can hold. */
export function checkTime(value: unknown): asserts value is number {
  if (Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_TIME) return;
  throw new InvalidEntry('It has an invalid time.');
}

/**
 * The revision of an imported entry. Above {@link MAX_REVISION} it becomes {@link MAX_REVISION}:
 * the exporting store may have exceeded that itself, and the entry must not be lost.
 *
 * @throws {InvalidEntry} unless the value is a positive integer.
 */
export function revisionOf(value: unknown): number {
  const revision = Number.isSafeInteger(value) ? (value as number) : 0;
  if (revision < 1) throw new InvalidEntry('Its revision is not a positive integer.');
  return Math.min(revision, MAX_REVISION);
}

/**
 * The annotations of an entry, without absent ones.
 *
 * @throws {StoreError} `invalid-argument` unless they are within the limits.
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

/** The reason why an entry cannot be imported; `undefined` if the error does not concern the entry. */
export function reasonOf(error: unknown): string | undefined {
  const isAboutEntry =
    error instanceof InvalidEntry ||
    (error instanceof StoreError && error.code === 'invalid-argument');
  return isAboutEntry ? error.message : undefined;
}
