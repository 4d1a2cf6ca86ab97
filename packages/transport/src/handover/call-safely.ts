/**
 * Calls a callback of the embedding page. If the callback throws, the error goes to the page's
 * `error` event only: a broken callback must not stop the other connections.
 *
 * @returns Whether the callback returned without an error.
 */
export function callSafely(callback: () => void): boolean {
  try {
    callback();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}
