/** Random choices that are the same again for the same seeds: test/fuzz/random.ts, for Node. */
export class Random {
  #state = 0x9e3779b9;

  /** @param {number[]} seeds whole numbers, such as the seed of a run and the number of a round */
  constructor(...seeds) {
    for (const seed of seeds) this.#state = mixed(this.#state ^ mixed(seed));
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * A whole number; both limits are possible.
   * @param {number} least
   * @param {number} most
   */
  between(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /**
   * @template Value
   * @param {readonly Value[]} list not empty
   * @returns {Value}
   */
  pick(list) {
    return /** @type {Value} */ (list[this.between(0, list.length - 1)]);
  }

  /**
   * One of the names, each as often as its weight says.
   * @template {string} Name
   * @param {Partial<Record<Name, number>>} weights at least one above 0
   * @returns {Name}
   */
  pickWeighted(weights) {
    const entries = /** @type {[Name, number][]} */ (Object.entries(weights));
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    throw new Error('There is nothing to pick from.');
  }
}

/**
 * Spreads a number over 32 bits (the end of murmur3).
 * @param {number} seed
 */
function mixed(seed) {
  let word = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) | 0;
}
