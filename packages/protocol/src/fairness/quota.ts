/** A limit on an amount in use: each amount that is taken must be released later. */
export class Quota {
  readonly maximum: number;
  readonly #whole: Quota | undefined;
  #taken = 0;

  /**
   * @param maximum The limit, which may be `Infinity`.
   * @param whole The quota that counts the same amounts, and has the limit: see {@link part}.
   */
  constructor(maximum: number, whole?: Quota) {
    this.maximum = maximum;
    this.#whole = whole;
  }

  /** The amount that is still free. */
  get left(): number {
    return this.#whole?.left ?? this.maximum - this.#taken;
  }

  /** Takes an amount. If it is not free, takes nothing and returns `false`. */
  take(amount: number): boolean {
    if (amount > this.left) return false;
    this.#add(amount);
    return true;
  }

  release(amount: number): void {
    this.#add(-amount);
  }

  /** A part of this quota, for one connection: {@link clear} releases all that it has taken. */
  part(): Quota {
    return new Quota(this.maximum, this);
  }

  /** Releases everything that was taken. */
  clear(): void {
    this.release(this.#taken);
  }

  #add(amount: number): void {
    this.#taken += amount;
    if (this.#whole) this.#whole.#add(amount);
  }
}
