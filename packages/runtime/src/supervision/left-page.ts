/**
 * Calls back when the page goes into the back/forward cache of WebKit (2.50), which stops the worker of such a
 * page wherever it is, in the middle of a transaction, too: no other page of the site can use the database
 * then until it lets go of the page, and no message reaches the worker before. Remove this when it stops a
 * worker between its transactions.
 */
export function onLeave(listener: () => void, signal: AbortSignal): void {
  // Only its name identifies it; the version in that name has not changed since 2017.
  if (!navigator.userAgent.includes('AppleWebKit/605.1.15')) return;
  addEventListener('pagehide', ({ persisted }) => persisted && listener(), { signal });
}

/** Resolves when the page is back, or when nobody waits for that any longer. */
export function untilBack(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    addEventListener('pageshow', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
