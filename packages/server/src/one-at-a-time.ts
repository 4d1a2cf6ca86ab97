import { nextTask } from './next-task.js';

/**
 * Work that is done one after the other, each in a task of its own, so that others get theirs. It
 * comes in lines, one for each holder, which have turns: whoever has much to do waits for itself.
 */
export class OneAtATime {
  /** Those in which work waits; the first has waited longest for its turn. */
  readonly #lines = new Set<WorkLine>();
  readonly #rests: boolean;
  /** The one whose turn it is. */
  #current: WorkLine | undefined;

  /** @param rests Whether there is a rest after each work, as long as the work was. */
  constructor(rests = false) {
    this.#rests = rests;
  }

  /** The line of one more holder. */
  line(): WorkLine {
    return new WorkLine((line) => {
      // After its turn it comes behind all others.
      if (line !== this.#current) this.#lines.add(line);
      if (!this.#current) void this.#work();
    });
  }

  async #work(): Promise<void> {
    for (let [line] = this.#lines; line; [line] = this.#lines) {
      this.#current = line;
      this.#lines.delete(line);
      await new Promise<void>((resolve) => nextTask(resolve));
      const start = performance.now();
      await line.doOne();
      if (line.isWaiting) this.#lines.add(line);
      if (this.#rests) await pause(performance.now() - start);
    }
    this.#current = undefined;
  }
}

async function pause(timeMs: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, timeMs));
}

/** The work of one holder that waits for its turn, the oldest first. */
export class WorkLine {
  readonly #enter: (line: WorkLine) => void;
  /** None of these rejects. */
  readonly #waiting = new Set<() => Promise<void>>();

  constructor(enter: (line: WorkLine) => void) {
    this.#enter = enter;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Settles with the work. It begins when what came before has settled, even if nobody waits for
   * that any longer: what cannot be stopped still takes its room.
   *
   * @param signal Whoever aborts it has the reason at once, and work that has not begun never does.
   */
  async run<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    let leave!: () => void;
    try {
      return await new Promise<Value>((resolve, reject) => {
        const begin = (): Promise<void> => work().then(resolve, reject);
        leave = () => {
          this.#waiting.delete(begin);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        this.#waiting.add(begin);
        this.#enter(this);
      });
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Does the oldest, if there still is one. */
  async doOne(): Promise<void> {
    const [begin] = this.#waiting;
    if (!begin) return;
    this.#waiting.delete(begin);
    await begin();
  }
}
