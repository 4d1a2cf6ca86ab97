/**
 * Calls a callback. If it throws, the error is reported as an uncaught error (the `error` event of
 * the page or worker): other callbacks are still called, and the caller does not fail.
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
