/**
 * Calls a listener. An exception is reported with `reportError`: the other listeners are still called,
 * and the operation does not fail.
 */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
