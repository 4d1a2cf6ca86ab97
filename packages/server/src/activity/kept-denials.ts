import type { Numbered } from './fair-buffer.js';

/** The number of the first, and of the last, evicted denials of a holder that are kept. */
export const KEPT_DENIALS = 5;

/**
 * The maximum number of holders whose evicted denials are kept; those of the first holder are removed first.
 */
export const MAX_DENIED_HOLDERS = 50;

interface Kept<Entry> {
  first: Numbered<Entry>[];
  last: Numbered<Entry>[];
  /** The number of removed denials between them. */
  omitted: number;
}

/**
 * The denials that the log has evicted: the first and the last ones of each holder. So a holder cannot hide a
 * denial by sending many requests.
 */
export class KeptDenials<Entry extends { omitted?: number }> {
  readonly #byHolder = new Map<string, Kept<Entry>>();

  /**
   * The kept denials, in any order. The last of the first ones has the number of those that were removed
   * after it.
   */
  get all(): Numbered<Entry>[] {
    return [...this.#byHolder.values()].flatMap(({ first, last, omitted }) => {
      const marked = omitted === 0 ? first : first.map(markLast(omitted));
      return [...marked, ...last];
    });
  }

  add(denial: Numbered<Entry>, holder: string): void {
    const kept = this.#byHolder.get(holder) ?? { first: [], last: [], omitted: 0 };
    if (kept.first.length < KEPT_DENIALS) kept.first.push(denial);
    else if (kept.last.push(denial) > KEPT_DENIALS) {
      kept.last.shift();
      kept.omitted += 1;
    }
    this.#byHolder.set(holder, kept);
    const [oldest] = this.#byHolder.keys();
    if (this.#byHolder.size > MAX_DENIED_HOLDERS) this.#byHolder.delete(oldest!);
  }

  clear(): void {
    this.#byHolder.clear();
  }
}

function markLast<Entry>(omitted: number) {
  return (denial: Numbered<Entry>, index: number): Numbered<Entry> =>
    index < KEPT_DENIALS - 1 ? denial : { ...denial, entry: { ...denial.entry, omitted } };
}
