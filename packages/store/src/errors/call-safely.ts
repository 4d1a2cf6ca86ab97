/**
 * Calls a listener. What it throws is reported as an error of its own: the other listeners are called
 * all the same, and what has happened is not taken for failed.
 */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
