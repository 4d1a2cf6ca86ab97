import { storeErrorOf } from '../errors/store-error.js';

/**
 * How many writes of one tab may be transactions at the same time. The browser runs them one after
 * the other; with some waiting there it never stands idle, and with no more than that a read does not
 * wait for thousands of them, and none seems stuck that only waits for its turn.
 */
const MAX_UNDER_WAY = 8;

/** Whoever waits in the line. */
interface Waiting {
  go(): void;
  fail(error: Error): void;
}

/** The line in which writes wait until they may begin. */
export class WriteLine {
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;
  #onempty: (() => void) | undefined;

  /** Whether nothing is under way or waits. */
  get isEmpty(): boolean {
    return this.#underWay === 0;
  }

  /** Resolves once that is so. Asked for once. */
  emptied(): Promise<void> {
    return new Promise((resolve) => (this.#onempty = resolve));
  }

  /**
   * Runs a write when it is its turn, in the order of the calls.
   *
   * @param signal Aborting it while it waits takes it out: it then rejects with `signal.reason`.
   */
  async run<Value>(signal: AbortSignal | undefined, write: () => Promise<Value>): Promise<Value> {
    if (this.#underWay < MAX_UNDER_WAY) this.#underWay += 1;
    // The place of the one before is passed on.
    else await this.#turn(signal);
    try {
      return await write();
    } finally {
      this.#passOn();
    }
  }

  /** Those that wait reject with `timeout`: what they wait for does not come to an end. */
  giveUp(): void {
    for (const { fail } of this.#waiting) fail(storeErrorOf('timeout'));
    this.#waiting.clear();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => signal?.removeEventListener('abort', abort);
      const waiting: Waiting = {
        go: () => (leave(), resolve()),
        fail: (error) => (leave(), reject(error)),
      };
      const abort = (): void => {
        this.#waiting.delete(waiting);
        waiting.fail(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort);
      this.#waiting.add(waiting);
    });
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#onempty?.();
      return;
    }
    this.#waiting.delete(next);
    next.go();
  }
}
