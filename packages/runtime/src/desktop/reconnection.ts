/** The first delay after a loss or a failure, in ms. Each further delay is twice as long. */
const AFTER_LOSS_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** The maximum delay while the page is visible. After many failures, Chromium adds up to 5 s. */
const MAX_DELAY_MS = 2_000;

/** The maximum delay while the page is hidden, because the browser prints each failure to the console. */
const MAX_HIDDEN_DELAY_MS = 30_000;

/**
 * The minimum time between two attempts of a page that becomes visible or gets the focus, which otherwise
 * tries at once.
 */
const MIN_PAUSE_MS = 1_000;

/** The events that the page has to handle. */
export interface ReconnectionEvents {
  /** Called when it is time to connect, unless the page is connected. */
  dial(): void;
  /** Called when the user looks at the page: it has become visible, or has got the focus. */
  onvisible(): void;
  /** Called when the page may enter the back/forward cache, where it must have no connection. */
  onleave(): void;
}

/** Decides when to connect again. Plans no attempt before {@link plan} is called. */
export class Reconnection {
  readonly #events: ReconnectionEvents;
  #nextDelayMs = AFTER_FAILURE_MS;
  #lastAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAway = false;

  /** @param signal Removes the listeners. */
  constructor(events: ReconnectionEvents, signal: AbortSignal) {
    this.#events = events;
    const wake = (): void => this.#wake();
    document.addEventListener('visibilitychange', wake, { signal });
    // A window next to that of a desktop app is always visible, so it gets no `visibilitychange`.
    addEventListener('focus', wake, { signal });
    addEventListener('pagehide', () => this.#leave(), { signal });
    addEventListener('pageshow', () => this.#comeBack(), { signal });
  }

  /** Whether the page is, or is about to be, in the back/forward cache. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Cancels the planned attempt. To be called at each attempt to connect. */
  start(): void {
    clearTimeout(this.#timer);
    this.#lastAt = performance.now();
  }

  /**
   * Resets the delays, so that the page tries again soon after a loss. To be called when the page has
   * connected.
   */
  succeed(): void {
    this.#nextDelayMs = AFTER_LOSS_MS;
  }

  /** Plans the next attempt. */
  plan(): void {
    const longest = document.hidden ? MAX_HIDDEN_DELAY_MS : MAX_DELAY_MS;
    const delayMs = Math.min(this.#nextDelayMs, longest);
    // The delay is random, because several tabs lose the bridge at the same moment.
    this.#wait(delayMs * (0.75 + Math.random() / 2));
    this.#nextDelayMs = 2 * delayMs;
  }

  #wait(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#isAway || this.#events.dial(), delayMs);
  }

  #wake(): void {
    if (document.hidden) return;
    this.#events.onvisible();
    this.#wait(this.#lastAt + MIN_PAUSE_MS - performance.now());
  }

  #leave(): void {
    this.#isAway = true;
    this.#events.onleave();
  }

  #comeBack(): void {
    this.#isAway = false;
    this.#wait(0);
  }
}
