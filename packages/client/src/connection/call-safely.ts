/** Calls a listener that is not ours: when it throws, the others must hear all the same. */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
