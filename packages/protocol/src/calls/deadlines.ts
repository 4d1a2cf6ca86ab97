import { callSafely } from '@inpage-mcp/transport';
import { startTimer } from '../fairness/start-timer.js';

/** An object with a deadline. */
export interface Timed {
  /** The deadline, on the clock of `performance.now()`. */
  dueAt: number;
  /** Called once, after the deadline. */
  expire(): void;
}

/**
 * The deadlines of all calls, on one timer: a separate timer for each request would cost more than
 * most requests. The timer fires at the earliest deadline.
 */
export class Deadlines {
  readonly #timed = new Set<Timed>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;

  /** Adds a deadline. A deadline of `Infinity` never expires. */
  add(timed: Timed): void {
    if (timed.dueAt === Infinity) return;
    this.#timed.add(timed);
    if (timed.dueAt < this.#wakesAt) this.#wakeAt(timed.dueAt);
  }

  /**
   * Removes a deadline, because its work has ended or is paused. The timer stays: resetting it for each
   * request would cost more than an unnecessary wake-up.
   */
  delete(timed: Timed): void {
    this.#timed.delete(timed);
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    if (time === Infinity) return;
    this.#timer = startTimer(() => this.#wake(), time - performance.now());
    // A Node process that has nothing else to do may exit.
    (this.#timer as { unref?(): void } | undefined)?.unref?.();
  }

  #wake(): void {
    const now = performance.now();
    let next = Infinity;
    for (const timed of this.#timed) {
      if (timed.dueAt > now) {
        next = Math.min(next, timed.dueAt);
        continue;
      }
      this.#timed.delete(timed);
      callSafely(() => timed.expire());
    }
    this.#wakeAt(next);
  }
}
