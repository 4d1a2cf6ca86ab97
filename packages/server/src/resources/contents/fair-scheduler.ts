import { nextTask } from '@inpage-mcp/protocol';

/** The cooldown of a queue, as a multiple of the time that its task took. */
const COOLDOWN_FACTOR = 3;

/** The maximum cooldown, in milliseconds: on a busy machine, every task takes long. */
const MAX_COOLDOWN_MS = 250;

/**
 * Runs tasks one at a time, each in a separate task of the event loop, so that other work can run between
 * them. Each holder has a queue, and the queues take turns: a holder with many tasks delays only its own.
 */
export class FairScheduler {
  /** The queues with waiting tasks; the first has waited longest for its turn. */
  readonly #ready = new Set<TaskQueue>();
  /** The queues in their cooldown. */
  readonly #coolingDown = new Set<TaskQueue>();
  readonly #hasCooldown: boolean;
  /** The queue whose task is running. */
  #current: TaskQueue | undefined;

  /**
   * @param hasCooldown Whether each queue has to wait after its task, while others have their
   *   turns: a task also delays everything else in the worker.
   */
  constructor(hasCooldown = false) {
    this.#hasCooldown = hasCooldown;
  }

  /** Creates the queue of a holder. */
  createQueue(): TaskQueue {
    return new TaskQueue((queue) => this.#schedule(queue));
  }

  #schedule(queue: TaskQueue): void {
    // After its turn or its cooldown, the queue is scheduled again, behind all others.
    if (queue === this.#current || this.#coolingDown.has(queue)) return;
    this.#ready.add(queue);
    if (!this.#current) void this.#run();
  }

  async #run(): Promise<void> {
    for (let [queue] = this.#ready; queue; [queue] = this.#ready) {
      this.#current = queue;
      this.#ready.delete(queue);
      await new Promise<void>((resolve) => nextTask(resolve));
      const start = performance.now();
      await queue.runNext();
      if (this.#hasCooldown) this.#startCooldown(queue, performance.now() - start);
      else if (queue.hasTasks) this.#ready.add(queue);
    }
    this.#current = undefined;
  }

  #startCooldown(queue: TaskQueue, elapsedMs: number): void {
    this.#coolingDown.add(queue);
    setTimeout(
      () => {
        this.#coolingDown.delete(queue);
        if (queue.hasTasks) this.#schedule(queue);
      },
      Math.min(elapsedMs * COOLDOWN_FACTOR, MAX_COOLDOWN_MS),
    );
  }
}

/** The waiting tasks of one holder, the oldest first. */
export class TaskQueue {
  readonly #schedule: (queue: TaskQueue) => void;
  /** The waiting tasks; none of them rejects. */
  readonly #waiting = new Set<() => Promise<void>>();

  constructor(schedule: (queue: TaskQueue) => void) {
    this.#schedule = schedule;
  }

  get hasTasks(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Runs a task and settles with it. The task begins when the previous one has settled, even if
   * that one was aborted: a task that cannot be stopped still takes its memory.
   *
   * @param signal If it aborts, this rejects at once with its reason; a task that has not begun
   *   never runs.
   */
  async run<Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    signal.throwIfAborted();
    let cancel!: () => void;
    try {
      return await new Promise<Value>((resolve, reject) => {
        const begin = (): Promise<void> => task().then(resolve, reject);
        cancel = () => {
          this.#waiting.delete(begin);
          reject(signal.reason);
        };
        signal.addEventListener('abort', cancel, { once: true });
        this.#waiting.add(begin);
        this.#schedule(this);
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Runs the oldest task, if one is waiting. */
  async runNext(): Promise<void> {
    const [begin] = this.#waiting;
    if (!begin) return;
    this.#waiting.delete(begin);
    await begin();
  }
}
