/** The interval of the checks: a removed frame is noticed within a second, even on a busy page. */
const CHECK_EVERY_MS = 500;

/**
 * Calls back once, when a window has closed or its frame was removed: no event reports that.
 *
 * @returns Stops the watch.
 */
export function watchWindow(peer: Window, onClosed: () => void): () => void {
  const timer = setInterval(() => {
    if (!peer.closed) return;
    clearInterval(timer);
    onClosed();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
