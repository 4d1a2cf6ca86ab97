/** The keys of the best entries so far, of those that are shown to it in whatever order. */
export class BestKeys {
  /** How many were shown, also those that were not good enough to keep. */
  total = 0;
  readonly #limit: number;
  readonly #isBefore: (a: string, b: string) => boolean;
  readonly #ranked: { key: string; score: number }[] = [];

  /** @param isBefore Which of two keys comes first, where their entries are as good. */
  constructor(limit: number, isBefore: (a: string, b: string) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  /** Best first. */
  get keys(): string[] {
    return this.#ranked.map(({ key }) => key);
  }

  /** Keeps the key if its entry is among the best. */
  consider(key: string, score: number): void {
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
