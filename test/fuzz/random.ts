/** Random choices that are the same again for the same seeds. */
export class Random {
  #state: number;

  /** @param seeds Whole numbers, such as the seed of a run and the index of a case. */
  constructor(...seeds: number[]) {
    this.#state = 0x9e3779b9;
    for (const seed of seeds) this.#state = mixed(this.#state ^ mixed(seed));
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True so often, as a part of 1. */
  chance(part: number): boolean {
    return this.next() < part;
  }

  /** One of the list, which is not empty. */
  pick<Value>(list: readonly Value[]): Value {
    return list[this.below(list.length)]!;
  }

  /** One of the list, each as often as its weight says. */
  pickWeighted<Value extends { weight: number }>(list: readonly Value[]): Value {
    const total = list.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.next() * total;
    return list.find(({ weight }) => (left -= weight) < 0) ?? list[0]!;
  }
}

/** Spreads a number over 32 bits (the end of murmur3). */
function mixed(seed: number): number {
  let word = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) | 0;
}
