import { callSafely } from '../fairness/call-safely.js';
import { startTimer } from '../fairness/start-timer.js';

/** Something that may take its time, and no more. */
export interface Timed {
  /** When it is over, on the clock of `performance.now()`. */
  dueAt: number;
  /** Called once when it is over; nobody waits for it any longer. */
  expire(): void;
}

/**
 * The deadlines of everything that is under way, on one clock: a timer of its own for each request
 * would cost more than most requests. The clock wakes when the first of them may be over.
 */
export class Deadlines {
  readonly #timed = new Set<Timed>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;

  /** What is due at `Infinity` is never over. */
  add(timed: Timed): void {
    if (timed.dueAt === Infinity) return;
    this.#timed.add(timed);
    if (timed.dueAt < this.#wakesAt) this.#wakeAt(timed.dueAt);
  }

  /** It has ended, or its clock stands. The clock is left to wake in vain: most never see it. */
  delete(timed: Timed): void {
    this.#timed.delete(timed);
  }

  #wakeAt(time: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = time;
    if (time === Infinity) return;
    this.#timer = startTimer(() => this.#wake(), time - performance.now());
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
