/** Delays in milliseconds; each further one is twice as long. */
const AFTER_LOSS_MS = 250;
const AFTER_FAILURE_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** A page that becomes visible, or online, tries at once, but not more often than this. */
const MIN_PAUSE_MS = 5_000;

/** How often a hidden page tries after a loss, before it waits until it is visible. */
const MAX_HIDDEN_TRIES = 6;

/**
 * Decides when to dial again. The browser prints each failure to the console, so a page that nobody
 * sees gives up until somebody does.
 */
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
  /** The page has become visible, or online while it is. */
  onvisible(): void;
  /** The page may enter the back/forward cache, where it must have no connection. */
  onleave(): void;
}

/** Plans nothing yet. The signal ends it. */
export function createReconnection(events: ReconnectionEvents, signal: AbortSignal): Reconnection {
  let nextDelayMs = AFTER_FAILURE_MS;
  let tries = 0;
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
    // Not later than it is planned.
    wait(Math.min(lastAt + MIN_PAUSE_MS - performance.now(), nextDelayMs));
  };
  const listening = { signal };
  document.addEventListener('visibilitychange', wake, listening);
  addEventListener('online', wake, listening);
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
      tries = 0;
    },
    plan() {
      tries += 1;
      if (document.hidden && tries > MAX_HIDDEN_TRIES) return;
      // Several tabs lose the bridge at the same moment.
      wait(nextDelayMs * (0.75 + Math.random() / 2));
      nextDelayMs = Math.min(2 * nextDelayMs, MAX_DELAY_MS);
    },
  };
}
