/** A message of a window that may not speak here. Its content was not looked at. */
export interface OriginViolation {
  /** Where it came from, as the browser says: an origin, or `null` for a sandboxed frame. */
  origin: string;
  /**
   * How many came from this origin so far, this one included. Only the first 100 origins are told
   * apart; those after them share one count.
   */
  count: number;
}

const MAX_ORIGINS = 100;

/** Counts them, in a table that strangers cannot make grow. */
export class OriginViolations {
  /** All of them. */
  total = 0;
  readonly #counts = new Map<string, number>();
  #others = 0;

  /** @returns The count to tell the page. */
  count(origin: string): number {
    this.total += 1;
    const before = this.#counts.get(origin);
    if (before === undefined && this.#counts.size >= MAX_ORIGINS) return (this.#others += 1);
    const count = (before ?? 0) + 1;
    this.#counts.set(origin, count);
    return count;
  }
}
