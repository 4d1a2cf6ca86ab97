/** How long after the last key a note is saved, in milliseconds. */
const SAVE_DELAY_MS = 400;

/** How long a note stays unsaved while its user goes on typing, in milliseconds. */
const MAX_DELAY_MS = 5_000;

/** Calls `save` in a pause of typing, and every few seconds if the user types without a pause. */
export class SaveTimer {
  readonly #save: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first of the keys was pressed that are not saved; `undefined` if all are. */
  #startMs: number | undefined;

  constructor(save: () => void) {
    this.#save = save;
  }

  /** A key was pressed. */
  touch(): void {
    const nowMs = performance.now();
    this.#startMs ??= nowMs;
    clearTimeout(this.#timer);
    const delayMs = Math.min(SAVE_DELAY_MS, this.#startMs + MAX_DELAY_MS - nowMs);
    this.#timer = setTimeout(this.#save, Math.max(0, delayMs));
  }

  /** What is typed is being saved, or is not to be saved. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#startMs = undefined;
  }
}
