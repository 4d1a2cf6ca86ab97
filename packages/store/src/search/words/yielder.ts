/** The maximum time for which the thread may be blocked, in milliseconds. */
const MAX_BLOCKING_MS = 5;

/**
 * Lets long work yield the thread to other tasks.
 *
 * ```ts
 * for (const piece of pieces) {
 *   work(piece);
 *   if (yielder.isDue) await yielder.yield();
 * }
 * ```
 */
export class Yielder {
  readonly #priority: 'user-visible' | 'background';
  readonly #signal: AbortSignal | undefined;
  #dueAt = performance.now() + MAX_BLOCKING_MS;

  /**
   * @param priority `user-visible` if a caller waits for the work. With `background`, all other
   *   tasks run first.
   * @param signal Aborts the work: the next `yield` rejects with `signal.reason`. Default: none.
   */
  constructor(priority: 'user-visible' | 'background', signal?: AbortSignal) {
    this.#priority = priority;
    this.#signal = signal;
  }

  /** Whether the thread has been blocked for too long. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Lets other tasks run. */
  async yield(): Promise<void> {
    await yieldThread(this.#priority);
    this.#signal?.throwIfAborted();
    this.#dueAt = performance.now() + MAX_BLOCKING_MS;
  }
}

async function yieldThread(priority: 'user-visible' | 'background'): Promise<void> {
  if ('scheduler' in globalThis) {
    await scheduler.postTask(() => undefined, { priority });
  } else {
    await new Promise((resolve) => setTimeout(resolve));
  }
}
