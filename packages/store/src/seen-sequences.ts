/** Which of a row of numbers without gaps have come, in whatever order. */
export class SeenSequences {
  /** It and all before it have come. */
  #last = 0;
  /** What came before its time. */
  readonly #ahead = new Set<number>();

  /** The last number before which none is missing. */
  get last(): number {
    return this.#last;
  }

  /** Whether something came after something that has not come yet. */
  get hasGap(): boolean {
    return this.#ahead.size > 0;
  }

  /** Takes it and all before it as come, and none after it. */
  startAt(sequence: number): void {
    this.#last = sequence;
    this.#ahead.clear();
  }

  /** Returns whether it has not come before. */
  add(sequence: number): boolean {
    if (sequence <= this.#last || this.#ahead.has(sequence)) return false;
    this.#ahead.add(sequence);
    while (this.#ahead.delete(this.#last + 1)) this.#last += 1;
    return true;
  }
}
