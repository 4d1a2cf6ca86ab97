/** Only its name identifies it; the version in that name has not changed since 2017. */
const IS_WEBKIT = navigator.userAgent.includes('AppleWebKit/605.1.15');

/**
 * Calls back when the page goes into the back/forward cache of WebKit (2.50), with what settles when it comes
 * back. WebKit stops the worker of such a page wherever it is, in the middle of a transaction, too: no other
 * page of the site can use the database then until it lets go of the page, and no message reaches the worker
 * before. Remove this when it stops a worker between its transactions.
 */
export function onLeave(listener: (back: Promise<void>) => void, signal: AbortSignal): void {
  if (!IS_WEBKIT) return;
  const leave = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) listener(untilBack(signal));
  };
  addEventListener('pagehide', leave, { signal });
}

/** Or until nobody waits for that any longer. */
function untilBack(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => resolve();
    addEventListener('pageshow', settle, { once: true, signal });
    signal.addEventListener('abort', settle, { once: true });
  });
}
