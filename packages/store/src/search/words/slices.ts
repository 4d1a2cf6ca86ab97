/** How long others may have to wait, in milliseconds. */
const SLICE_MS = 5;

/**
 * The time of something long, in slices: between two of them the thread is free for others.
 *
 * ```ts
 * for (const piece of pieces) {
 *   work(piece);
 *   if (slices.isOver) await slices.next();
 * }
 * ```
 */
export class Slices {
  readonly #priority: 'user-visible' | 'background';
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + SLICE_MS;

  /**
   * @param priority Whether somebody waits for it. What runs in the background lets everything else
   *   go first.
   * @param signal Ends it: the next slice rejects with `signal.reason`. Default: none.
   */
  constructor(priority: 'user-visible' | 'background', signal?: AbortSignal) {
    this.#priority = priority;
    this.#signal = signal;
  }

  /** Whether the others have waited long enough. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets them go first. */
  async next(): Promise<void> {
    await turnOf(this.#priority);
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

async function turnOf(priority: 'user-visible' | 'background'): Promise<void> {
  if ('scheduler' in globalThis) {
    await scheduler.postTask(() => undefined, { priority });
  } else {
    await new Promise((resolve) => setTimeout(resolve));
  }
}
