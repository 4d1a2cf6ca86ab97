/** How much of something there may be at a time: what is taken has to be given back. */
export class Allowance {
  readonly maximum: number;
  #taken = 0;

  /** @param maximum May be `Infinity`. */
  constructor(maximum: number) {
    this.maximum = maximum;
  }

  /** How much more there may be. */
  get left(): number {
    return this.maximum - this.#taken;
  }

  /** Whether there is room for so much more. */
  has(amount: number): boolean {
    return amount <= this.left;
  }

  /** Takes so much, or nothing (`false`) where there is no room for all of it. */
  take(amount: number): boolean {
    if (!this.has(amount)) return false;
    this.#taken += amount;
    return true;
  }

  giveBack(amount: number): void {
    this.#taken -= amount;
  }
}
