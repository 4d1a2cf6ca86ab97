/**
 * Calls a listener. If it throws, the error is reported as an uncaught error: the other listeners
 * are still called, and the caller does not fail.
 */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
