/** A message of a window that is not allowed. Its content was not read. */
export interface OriginViolation {
  /** The sender's origin, as reported by the browser; `null` for a sandboxed frame. */
  origin: string;
  /**
   * The number of violations of this origin so far, including this one. The first 100 origins have a separate
   * count; all others share one.
   */
  count: number;
}

const MAX_ORIGINS = 100;

/** Counts violations, in a table of limited size. */
export class OriginViolations {
  total = 0;
  readonly #counts = new Map<string, number>();
  #others = 0;

  /** @returns The count to report to the page. */
  count(origin: string): number {
    this.total += 1;
    const before = this.#counts.get(origin);
    if (before === undefined && this.#counts.size >= MAX_ORIGINS) return (this.#others += 1);
    const count = (before ?? 0) + 1;
    this.#counts.set(origin, count);
    return count;
  }
}
