/**
 * One read after another, of which only the last counts: a read that another one follows is
 * cancelled, and what it still answers is dropped.
 */
export class LatestRead<Value> {
  /** What was read last; stays while it is read again, until a read fails. */
  value: Value | undefined;
  /** Why the last read has failed. */
  error: unknown;
  /** Whether the last read has failed. False while the next one goes on. */
  isFailed = false;
  readonly #onchange: () => void;
  #reading = new AbortController();

  /** @param onchange Called when a read begins, and when its value or error is there. */
  constructor(onchange: () => void) {
    this.#onchange = onchange;
  }

  /**
   * Reads; never rejects.
   *
   * @param read Reads; its signal is aborted when another read begins.
   * @param onvalue Called with the value if it counts.
   */
  async run(
    read: (signal: AbortSignal) => Promise<Value>,
    onvalue: (value: Value) => void,
  ): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#settle({ value: this.value });
    try {
      const value = await read(signal);
      if (signal.aborted) return;
      onvalue(value);
      this.#settle({ value });
    } catch (error) {
      if (!signal.aborted) this.#settle({ error, isFailed: true });
    }
  }

  /** Forgets what was read, and drops what is still read. */
  clear(): void {
    this.#reading.abort();
    this.#settle({});
  }

  #settle(state: { value?: Value | undefined; error?: unknown; isFailed?: boolean }): void {
    this.value = state.value;
    this.error = state.error;
    this.isFailed = state.isFailed ?? false;
    this.#onchange();
  }
}
