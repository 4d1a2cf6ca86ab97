/** Collects the best ids of notes or paths of files. They may be added in any order. */
export class BestKeys {
  /** The number of keys that were added, including those that were not kept. */
  total = 0;
  readonly #limit: number;
  readonly #isBefore: (a: string, b: string) => boolean;
  readonly #ranked: { key: string; score: number }[] = [];

  /** @param isBefore Whether key `a` ranks before `b` if their scores are equal. */
  constructor(limit: number, isBefore: (a: string, b: string) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  /** The keys that were kept, best first. */
  get keys(): string[] {
    return this.#ranked.map(({ key }) => key);
  }

  /** Adds a key; keeps it if it is among the best. */
  add(key: string, score: number): void {
    this.total += 1;
    const worst = this.#ranked.at(-1);
    const isFull = this.#ranked.length === this.#limit;
    if (isFull && worst && !this.#isBetter(key, score, worst)) return;
    const place = this.#ranked.findIndex((other) => this.#isBetter(key, score, other));
    this.#ranked.splice(place === -1 ? this.#ranked.length : place, 0, { key, score });
    if (isFull) this.#ranked.pop();
  }

  #isBetter(key: string, score: number, other: { key: string; score: number }): boolean {
    return score === other.score ? this.#isBefore(key, other.key) : score > other.score;
  }
}
