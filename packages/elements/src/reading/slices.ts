/** How long a slice takes at most, in milliseconds, but for the last unit of work in it. */
const SLICE_MS = 8;

/** How long a page that is not drawn waits for its next frame, in milliseconds. */
const HIDDEN_FRAME_MS = 100;

/**
 * Long work in slices, each in a task of its own with a frame drawn in between, so that the page
 * answers its user all the while.
 */
export class Slices {
  readonly #signal: AbortSignal;
  readonly #onpause: () => void;
  #endMs = performance.now() + SLICE_MS;

  /** @param onpause Called at the end of each slice: what is ready by then can be shown. */
  constructor(signal: AbortSignal, onpause: () => void) {
    this.#signal = signal;
    this.#onpause = onpause;
  }

  /** Throws when the signal is aborted. */
  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }

  /**
   * To be awaited before each small unit of work. Resolves at once, or in the next slice where this
   * one is over. Rejects when the signal is aborted.
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

/** Resolves in a task of its own after the next frame; soon where none is drawn. */
async function nextFrame(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, HIDDEN_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
