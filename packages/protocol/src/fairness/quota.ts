/** A limit on an amount in use: each amount that is taken must be released later. */
export class Quota {
  readonly maximum: number;
  #taken = 0;

  /** @param maximum May be `Infinity`. */
  constructor(maximum: number) {
    this.maximum = maximum;
  }

  /** The amount that is still free. */
  get left(): number {
    return this.maximum - this.#taken;
  }

  /** Whether this amount is free. */
  has(amount: number): boolean {
    return amount <= this.left;
  }

  /** Takes an amount. If it is not free, takes nothing and returns `false`. */
  take(amount: number): boolean {
    if (!this.has(amount)) return false;
    this.#taken += amount;
    return true;
  }

  release(amount: number): void {
    this.#taken -= amount;
  }
}
