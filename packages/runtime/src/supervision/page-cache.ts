/**
 * Calls the listener when the page enters the back/forward cache of WebKit (2.50). WebKit stops the
 * worker of a cached page at any point, even inside a transaction: no other page of the site can
 * then use the database until WebKit evicts the page, and no message reaches the worker before.
 * Remove this when WebKit stops workers between transactions only.
 */
export function onEnterPageCache(listener: () => void, signal: AbortSignal): void {
  // Only the user agent identifies WebKit; the version in it has not changed since 2017.
  if (!navigator.userAgent.includes('AppleWebKit/605.1.15')) return;
  addEventListener('pagehide', ({ persisted }) => persisted && listener(), { signal });
}

/** Resolves when the page leaves the cache, or when the signal aborts. */
export function waitForPageShow(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    addEventListener('pageshow', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
