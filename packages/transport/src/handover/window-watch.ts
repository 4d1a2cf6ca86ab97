/** A removed frame is noticed within a second, also on a busy page. */
const CHECK_EVERY_MS = 500;

/**
 * Calls back once when a window has closed, or its frame has left the page: no event says so.
 *
 * @returns What ends the watch.
 */
export function watchWindow(peer: Window, closed: () => void): () => void {
  const timer = setInterval(() => {
    if (!peer.closed) return;
    clearInterval(timer);
    closed();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
