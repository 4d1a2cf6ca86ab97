/** Delays in milliseconds; each further one is twice as long. */
const AFTER_LOSS_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** The longest delay while the page is visible. After many failures, Chromium adds up to 5 s. */
const MAX_DELAY_MS = 2_000;

/** The longest delay while the page is hidden: the browser prints each failure to the console. */
const MAX_HIDDEN_DELAY_MS = 30_000;

/** A page that becomes visible, or has the focus, tries at once, but not more often than this. */
const MIN_PAUSE_MS = 1_000;

/** Decides when to dial again. */
export interface Reconnection {
  /** Whether the page is, or is about to be, in the back/forward cache. */
  isAway(): boolean;
  /** To be called when the page dials, for whatever reason. */
  start(): void;
  /** To be called when a connection is good: when it is lost, it is soon dialed again. */
  succeed(): void;
  /** Plans the next attempt. */
  plan(): void;
}

/** What happens at which time. */
export interface ReconnectionEvents {
  /** It is time to dial, unless there is a connection. */
  dial(): void;
  /** The user looks at the page: it has become visible, or has the focus. */
  onvisible(): void;
  /** The page may enter the back/forward cache, where it must have no connection. */
  onleave(): void;
}

/** Plans nothing yet. The signal ends it. */
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
  // A window beside the one of a desktop app was visible all the time.
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
      // Several tabs lose the bridge at the same moment.
      wait(delayMs * (0.75 + Math.random() / 2));
      nextDelayMs = 2 * delayMs;
    },
  };
}
