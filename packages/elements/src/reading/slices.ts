/** The maximum time of a slice in milliseconds, without the last unit of work in it. */
const SLICE_MS = 8;

/** The maximum time for which a page that is not drawn waits for its next frame, in milliseconds. */
const HIDDEN_FRAME_MS = 100;

/**
 * Runs long work in slices, each in a task of its own with a frame drawn in between, so that the page always
 * answers its user.
 */
export class Slices {
  readonly #signal: AbortSignal;
  readonly #onpause: () => void;
  #endMs = performance.now() + SLICE_MS;

  /** @param onpause Called at the end of each slice, when the finished part can be shown. */
  constructor(signal: AbortSignal, onpause: () => void) {
    this.#signal = signal;
    this.#onpause = onpause;
  }

  /** Throws when the signal is aborted. */
  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }

  /**
   * Waits for the next unit of work; must be awaited before each small unit. Resolves at once, or in the next
   * slice if this one is over. Rejects when the signal is aborted.
   */
  async next(): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() < this.#endMs) return;
    this.#onpause();
    await nextFrame();
    this.#signal.throwIfAborted();
    this.#endMs = performance.now() + SLICE_MS;
  }
}

/** Resolves in a task of its own after the next frame; soon if no frame is drawn. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, HIDDEN_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
