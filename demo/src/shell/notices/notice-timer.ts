/** How long a notice is there, but for the time that the pointer or the focus is on it. */
export class NoticeTimer {
  readonly #timeMs: number;
  readonly #onTimeout: () => void;
  readonly #onEnd: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #holders = 0;
  #isOver = false;

  /**
   * @param onTimeout Called when its time is over.
   * @param onEnd Called once, when it ends for whatever reason.
   */
  constructor(timeMs: number, onTimeout: () => void, onEnd: () => void) {
    this.#timeMs = timeMs;
    this.#onTimeout = onTimeout;
    this.#onEnd = onEnd;
    this.#start();
  }

  /** The user reads it. */
  readonly hold = (): void => {
    this.#holders += 1;
    clearTimeout(this.#timer);
  };

  /** The user has left it, by the pointer or by the focus: its whole time begins anew. */
  readonly release = (): void => {
    this.#holders = Math.max(0, this.#holders - 1);
    if (this.#holders === 0) this.#start();
  };

  end(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(this.#onTimeout, this.#timeMs);
  }
}
