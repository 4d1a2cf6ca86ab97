import { nextTask } from '@inpage-mcp/protocol';

/** A line that rests does so for so many times as long as its work took. */
const REST_FACTOR = 3;

/** But no longer than this, in milliseconds: on a busy machine everything takes long. */
const MAX_REST_MS = 250;

/**
 * Work that is done one after the other, each in a task of its own, so that others get theirs. It
 * comes in lines, one for each holder, which have turns: one with much to do waits for itself.
 */
export class OneAtATime {
  /** Those in which work waits; the first has waited longest for its turn. */
  readonly #lines = new Set<WorkLine>();
  /** Those whose turn does not come yet. */
  readonly #resting = new Set<WorkLine>();
  readonly #rests: boolean;
  /** The one whose turn it is. */
  #current: WorkLine | undefined;

  /**
   * @param rests Whether each line has to rest after its work, which takes time from everything
   *   else, too. Others have their turns then.
   */
  constructor(rests = false) {
    this.#rests = rests;
  }

  /** The line of one more holder. */
  line(): WorkLine {
    return new WorkLine((line) => this.#enter(line));
  }

  #enter(line: WorkLine): void {
    // After its turn it comes behind all others.
    if (line === this.#current || this.#resting.has(line)) return;
    this.#lines.add(line);
    if (!this.#current) void this.#work();
  }

  async #work(): Promise<void> {
    for (let [line] = this.#lines; line; [line] = this.#lines) {
      this.#current = line;
      this.#lines.delete(line);
      await new Promise<void>((resolve) => nextTask(resolve));
      const start = performance.now();
      await line.doOne();
      if (this.#rests) this.#rest(line, performance.now() - start);
      else if (line.isWaiting) this.#lines.add(line);
    }
    this.#current = undefined;
  }

  #rest(line: WorkLine, elapsedMs: number): void {
    this.#resting.add(line);
    setTimeout(
      () => {
        this.#resting.delete(line);
        if (line.isWaiting) this.#enter(line);
      },
      Math.min(elapsedMs * REST_FACTOR, MAX_REST_MS),
    );
  }
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
