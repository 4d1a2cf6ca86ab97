const BURST = 64;
const PER_SECOND = 8;

interface Budget {
  left: number;
  at: number;
}

/**
 * How fast a frame may open connections, however fast it ends them: 64 at once, then 8 a second.
 * Each costs whoever serves it a server instance.
 */
export class OpeningBudget {
  readonly #budgets = new WeakMap<Window, Budget>();

  /** Whether the frame may open one now, which is then counted. */
  spend(frame: Window): boolean {
    const at = performance.now();
    const before = this.#budgets.get(frame) ?? { left: BURST, at };
    const earned = ((at - before.at) / 1_000) * PER_SECOND;
    const left = Math.min(before.left + earned, BURST);
    const mayOpen = left >= 1;
    this.#budgets.set(frame, { left: mayOpen ? left - 1 : left, at });
    return mayOpen;
  }
}
