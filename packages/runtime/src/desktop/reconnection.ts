/** The first delay after a loss or a failure, in ms. Each further delay is twice as long. */
const AFTER_LOSS_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** The longest delay while the page is visible. After many failures, Chromium adds up to 5 s. */
const MAX_DELAY_MS = 2_000;

/** The longest delay while the page is hidden: the browser prints each failure to the console. */
const MAX_HIDDEN_DELAY_MS = 30_000;

/** A page that becomes visible, or gets the focus, tries at once, but not more often than this. */
const MIN_PAUSE_MS = 1_000;

/** Decides when to connect again. */
export interface Reconnection {
  /** Whether the page is, or is about to be, in the back/forward cache. */
  isAway(): boolean;
  /** Call this at each attempt to connect. */
  start(): void;
  /** Call this when the page has connected: after a loss, it then tries again soon. */
  succeed(): void;
  /** Plans the next attempt. */
  plan(): void;
}

/** The events that the page has to handle. */
export interface ReconnectionEvents {
  /** It is time to connect, unless the page is connected. */
  dial(): void;
  /** The user looks at the page: it has become visible, or has got the focus. */
  onvisible(): void;
  /** The page may enter the back/forward cache, where it must have no connection. */
  onleave(): void;
}

/** Plans no attempt yet. The signal removes the listeners. */
export function createReconnection(events: ReconnectionEvents, signal: AbortSignal): Reconnection {
  let nextDelayMs = AFTER_FAILURE_MS;
  let lastAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAway = false;

  const wait = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => isAway || events.dial(), delayMs);
  };
  const wake = (): void => {
    if (document.hidden) return;
    events.onvisible();
    wait(lastAt + MIN_PAUSE_MS - performance.now());
  };
  const listening = { signal };
  document.addEventListener('visibilitychange', wake, listening);
  // A window beside that of a desktop app is always visible, so it gets no `visibilitychange`.
  addEventListener('focus', wake, listening);
  const leave = (): void => {
    isAway = true;
    events.onleave();
  };
  addEventListener('pagehide', leave, listening);
  const comeBack = (): void => {
    isAway = false;
    wait(0);
  };
  addEventListener('pageshow', comeBack, listening);

  return {
    isAway: () => isAway,
    start() {
      clearTimeout(timer);
      lastAt = performance.now();
    },
    succeed() {
      nextDelayMs = AFTER_LOSS_MS;
    },
    plan() {
      const delayMs = Math.min(nextDelayMs, document.hidden ? MAX_HIDDEN_DELAY_MS : MAX_DELAY_MS);
      // Random, because several tabs lose the bridge at the same moment.
      wait(delayMs * (0.75 + Math.random() / 2));
      nextDelayMs = 2 * delayMs;
    },
  };
}
