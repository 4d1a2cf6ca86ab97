import { monotonicFactory, ulid } from 'ulid';

/** The latest time that a ULID can hold, in milliseconds since 1970: in the year 10889. */
const MAX_ID_TIME = 2 ** 48 - 1;

/** The time of an id. Clocks may be wrong: a time outside the range becomes its first or last one. */
function idTime(now: number): number {
  // The minimum is not 0, because the library treats 0 as absent.
  return Math.min(Math.max(now, 1), MAX_ID_TIME);
}

/** A ULID. */
export function newId(): string {
  return ulid(idTime(Date.now()));
}

const nextUlid = monotonicFactory();

/** A ULID that sorts after all earlier ones of this thread, also within one millisecond. */
export function nextId(now: number): string {
  return nextUlid(idTime(now));
}
