/** Calls a listener of the caller: if it throws, the other listeners must still be called. */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportError(error);
  }
}
